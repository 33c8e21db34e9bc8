"""The network: one polite client for HTTP."""
