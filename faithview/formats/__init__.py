"""Files in and out: one module per outside format, each able to recognise and read it."""
