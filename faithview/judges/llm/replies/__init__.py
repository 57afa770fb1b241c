"""A model's replies: their form, parsing, repairs, and the places of copied words."""
