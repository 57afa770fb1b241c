"""Live applications: their answers are logged, and a watch judges them, or a share of them."""
