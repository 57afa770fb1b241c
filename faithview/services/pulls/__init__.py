"""Pull records from another tool's server into a file that `faithview import` and `faithview evaluate` read."""
