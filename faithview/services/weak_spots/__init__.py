"""Where answers are weak: slices of them, and the documents that they rest on."""
