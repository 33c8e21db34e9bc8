"""The server of an editor: what it tells of a document, and the protocol."""
