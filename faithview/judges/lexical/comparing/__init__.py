"""A claim compared with the chunks: names, values and edits."""
