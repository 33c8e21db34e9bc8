"""Works: what a DOI name stands for, and whether a text describes that."""
