"""Compares what a host makes of documents with doilinks and without."""
