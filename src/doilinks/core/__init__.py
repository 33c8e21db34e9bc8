"""The core: names, encodings, detection, options and links. Pure, standard library only, no I/O."""
