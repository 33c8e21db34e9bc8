"""Fuzzing: documents made by a machine, through everything that reads one."""
