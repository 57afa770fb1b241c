"""How much an OTLP request in protobuf holds, counted before an object is made of it.

An empty attribute is two bytes, and hundreds once it is an object. Here the bytes are gone through, as
https://protobuf.dev/programming-guides/encoding/ describes them, and only what OTLP nests is looked into. What is no
such message is left to whoever reads it.
"""

from typing import Final

from faithview.domain.errors import InvalidInput

# Of one span, event, link, scope, resource or value. OpenTelemetry's own limit is 128; OpenInference raises it to this.
MOST_ATTRIBUTES: Final = 10_000
# Messages in one request: spans, events, links, attributes and values in them.
MOST_VALUES: Final = 500_000

_BYTES = 2  # the only wire type that has messages
_FIXED = {1: 8, 5: 4}
_GROUPS = (3, 4)  # out of use; what is in one is gone through as if it were not
_VARINT = 0
_LONGEST_VARINT = 10
_LOW_BITS = 0x7F

# A kind of message: by field, the kind of the messages in it. Field numbers are those of opentelemetry/proto.
_Kind = dict[int, "_Kind"]
_PAIR: _Kind = {}
_VALUE: _Kind = {5: {1: {}}, 6: {1: _PAIR}}
_VALUE[5] = {1: _VALUE}
_PAIR[2] = _VALUE
_EVENT: _Kind = {3: _PAIR}
_LINK: _Kind = {4: _PAIR}
_SPAN: _Kind = {9: _PAIR, 11: _EVENT, 13: _LINK, 15: {}}
_SCOPE: _Kind = {3: _PAIR}
_RESOURCE: _Kind = {1: _PAIR, 3: {3: {}, 4: {}}}
_REQUEST: _Kind = {1: {1: _RESOURCE, 2: {1: _SCOPE, 2: _SPAN}}}


class TooMuch(InvalidInput):
    """A request holds more than is read at once."""


def refuse_too_much(body: bytes) -> None:
    """Go through an OTLP request.

    Raises:
        TooMuch: one message has more than `MOST_ATTRIBUTES` attributes, or the request more than `MOST_VALUES`
            messages.
    """
    total = 0
    waiting: list[tuple[int, int, _Kind]] = [(0, len(body), _REQUEST)]
    while waiting:
        at, end, kind = waiting.pop()
        attributes = 0
        while at < end:
            tag, at = _varint(body, at, end)
            if tag & 7 != _BYTES:
                past = _past_number(body, at, end, tag & 7)
                if past is None:
                    return
                at = past
                continue
            length, at = _varint(body, at, end)
            inner = kind.get(tag >> 3)
            if inner is not None:
                total += 1
                attributes += inner is _PAIR
                if total > MOST_VALUES:
                    raise TooMuch(f"The spans hold more than {MOST_VALUES:,} values; send fewer of them at once.")
                if attributes > MOST_ATTRIBUTES:
                    raise too_many_attributes()
                if inner and length:
                    waiting.append((at, min(at + length, end), inner))
            at += length


def _past_number(body: bytes, at: int, end: int, wire: int) -> int | None:
    """Return where a value that is no message ends; None for a wire type that there is not."""
    if wire == _VARINT:
        return _varint(body, at, end)[1]
    if wire in _GROUPS:
        return at
    return at + _FIXED[wire] if wire in _FIXED else None


def too_many_attributes() -> TooMuch:
    """Return the error of a span with too many attributes."""
    return TooMuch(f"A span, or a value in it, has more than {MOST_ATTRIBUTES:,} attributes.")


def _varint(body: bytes, at: int, end: int) -> tuple[int, int]:
    """Return the number that begins at a place, and where it ends; a number that is cut off ends the message."""
    number = body[at] if at < end else 0
    if number <= _LOW_BITS:
        return number, at + 1
    number &= _LOW_BITS
    for place in range(1, _LONGEST_VARINT):
        if at + place >= end:
            break
        byte = body[at + place]
        number |= (byte & _LOW_BITS) << (7 * place)
        if byte <= _LOW_BITS:
            return number, at + place + 1
    return 0, end
