"""Shared by all rooms: pyproject.toml, writing a file, standard streams, exit codes."""
