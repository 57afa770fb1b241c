"""Ways in which a file gets damaged; each takes a file's bytes and returns other ones."""

import random


def cut(content: bytes, chance: random.Random) -> bytes:
    """Leave the end of the file out."""
    return content[: chance.randrange(len(content))]


def flip(content: bytes, chance: random.Random) -> bytes:
    """Put other bytes in some places."""
    changed = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def double(content: bytes, chance: random.Random) -> bytes:
    """Repeat a part of the file three times."""
    at = chance.randrange(len(content))
    return content[:at] + content[at : at + 200] * 3 + content[at:]


def encode(content: bytes, chance: random.Random) -> bytes:
    """Write the file in another encoding."""
    codec = chance.choice(["utf-16", "utf-8-sig", "cp1252", "utf-32", "utf-16-le"])
    return content.decode("utf-8", "replace").encode(codec, "replace")
