"""MkDocs: the plug-in. The public door is ``doilinks.mkdocs``."""
