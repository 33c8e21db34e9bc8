"""Citations, lists of references and hover texts, for every host.

All of it is offline: works are those of the project's lock file. Nothing here knows a host. All
texts for a page are plain text, which the host escapes as it escapes its own.
"""
