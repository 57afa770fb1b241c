"""The Trends page: faithfulness over time."""
