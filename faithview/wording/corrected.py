"""Words beside a corrected score."""

WHILE_LABELLING = "while labelling, valid at every look"
