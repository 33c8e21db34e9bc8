"""Links the names that the core finds: citations, and what each host needs."""
