"""What all floors use: pyproject.toml, writing a file, standard streams, exit codes."""
