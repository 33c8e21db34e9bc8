"""Pandoc: the filter. The public door is ``doilinks.pandoc``."""
