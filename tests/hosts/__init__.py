"""One module a host, each with ``links(sentences, options)``.

``sentences`` are sources as an author of that host types them, each a document of its own;
``options`` are option names of doilinks with their values as strings. Returned is, for each
sentence, the links of the page the host made, as (text, href).
"""
