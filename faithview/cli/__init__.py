"""The command line: parse options, call a service, print the result."""
