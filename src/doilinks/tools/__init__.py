"""Reads the files of a project and mends them; the command line."""
