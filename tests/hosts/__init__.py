"""One module a host, each with ``pages(sentences, options)``.

``sentences`` are sources as an author of that host types them, each a document of its own;
``options`` are option names of doilinks with their values as strings. Returned is, for each
sentence, the HTML that the host made of it.
"""
