"""File formats: `files` turns bytes into tables, `rows` makes samples of rows, and `readers` has a module per tool."""
