"""Links the names that the core finds, and shows citations, in each host."""
