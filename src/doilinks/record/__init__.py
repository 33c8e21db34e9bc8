"""Records of works, and the comparison of texts with them. Opens nothing."""
