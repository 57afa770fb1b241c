"""One module for each tool whose files are read; `registry` knows them all."""
