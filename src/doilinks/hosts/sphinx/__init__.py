"""Sphinx: the extension. The public door is ``doilinks.sphinx``."""
