"""The core: names, encodings, detection, options and links. No I/O, no dependencies."""
