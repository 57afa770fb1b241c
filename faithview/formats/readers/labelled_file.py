"""FaithView's own labelled benchmark file, read as answers."""

from faithview.formats import labelled
from faithview.formats.reading.reader import Reader

READER = Reader(
    name=labelled.SCHEMA, title="Labelled benchmark file", recognise=labelled.recognise, label=labelled.own_label
)
