"""What several test modules share; none of these is a test."""
