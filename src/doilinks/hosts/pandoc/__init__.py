"""Pandoc: the filter. The public door is ``doilinks.pandoc``."""

NAME = "pandoc-doilinks"
# The JSON has had its present form since 1.17. pandoc 3 writes 1.23.
OLDEST = (1, 17)
NEWEST = (1, 23)
