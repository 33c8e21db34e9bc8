"""Compares what a host makes of documents with doilinks and without.

``python -m tests.damage FOLDER...`` does so for every document below some folders.
"""
