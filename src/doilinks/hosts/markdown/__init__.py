"""Python-Markdown: the extension. The public door is ``doilinks.markdown``."""
