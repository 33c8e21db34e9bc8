"""Asks whether names exist, and whether they are those of the right works."""
