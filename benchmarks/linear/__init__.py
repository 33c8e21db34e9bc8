"""Time against size for hostile input, through every entry point."""
