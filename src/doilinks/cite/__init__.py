"""What readers see of a work: the text on hover, citations, and lists of references.

All of it is offline: works are those that the lock file of the project keeps. Nothing here knows a
host, and what becomes part of a page is plain text, which the host escapes as it escapes its own.
"""
