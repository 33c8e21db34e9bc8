"""What all rooms use: pyproject.toml, writing a file, standard streams, exit codes."""
