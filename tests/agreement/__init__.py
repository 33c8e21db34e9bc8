"""Three views of the DOI names of one tree of documents, which are to be one set.

What ``doilinks scan`` lists from the sources, what a host lists for its check, and what the pages
link that the host has built: whoever relies on the check has to know that it asked about the names
that the reader clicks on.
"""
