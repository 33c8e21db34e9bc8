"""The lock file: its text, reading, writing, merging; and the works in it and in `.bib` files."""
