"""Faithfulness over time: lines, events, control limits and level changes."""
