"""What is known of names and works: lines of the lock file, and records of agencies. Pure."""
