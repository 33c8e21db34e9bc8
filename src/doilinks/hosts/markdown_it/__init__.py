"""markdown-it-py: the plug-in. The public door is ``doilinks.markdown_it``."""
