"""docutils: a parser, a role and a transform. The public door is ``doilinks.docutils``."""
