"""Building blocks of pages: they take data and a key, draw, and return what the user chose."""
