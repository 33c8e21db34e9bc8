"""Asks whether names exist, and whether they have the right works."""
