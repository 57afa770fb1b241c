"""The contents of the chunks: fields, values, and passages with an index."""
