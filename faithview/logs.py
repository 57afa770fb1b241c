"""Logging: which records are written, how they look, and events with fields.

A record made by `log_event` is an event; every other one is a message. Neither holds texts under judgement nor keys:
fields are ids, counts and names of settings, errors are written as their types and places in the code, for their
messages may quote what was being read, and the values of variables that hold keys are blotted out of every line.
"""

import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime

from faithview.domain.errors import InvalidInput
from faithview.settings import LOG_FORMAT_VARIABLE, LOG_LEVEL_VARIABLE

MESSAGE = "message"
SAID = "said"
_FIELDS = "faithview_fields"
_EVENT = "faithview_event"
# A shorter value would be found in words that say nothing.
_SHORTEST_SECRET = 8
_SECRET_ENDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "WEBHOOK_URL")
_BLOTTED = "***"
# In an address: postgresql://user:password@host
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]+@")


def set_up() -> None:
    """Write records to standard error from now on, as the environment says.

    Without a word there the format is text; the level is `info` for JSON, else `warning`.

    Raises:
        InvalidInput: a variable of the environment has no such value.
    """
    as_json = _read(LOG_FORMAT_VARIABLE, ("text", "json"), usual="text") == "json"
    chosen = _read(LOG_LEVEL_VARIABLE, ("debug", "info", "warning", "error"), usual="info" if as_json else "warning")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(as_json=as_json))
    root = logging.getLogger()
    root.handlers = [old for old in root.handlers if not isinstance(old.formatter, Lines)] + [handler]
    # What libraries say below a warning is theirs to know.
    root.setLevel(logging.ERROR if chosen == "error" else logging.WARNING)
    logging.getLogger("faithview").setLevel(chosen.upper())


def log_event(logger: logging.Logger, event: str, *, level: int = logging.INFO, **fields: object) -> None:
    """Log an event; its fields are ids, counts and names of settings, and never texts under judgement or keys."""
    logger.log(level, event, extra={_EVENT: event, _FIELDS: fields})


def said(text: str, *, level: int = logging.INFO) -> str:
    """Return a message for people as the line of JSON that it is where standard error holds nothing else."""
    record = logging.LogRecord("faithview", level, "", 0, text, None, None)
    record.__dict__.update({_EVENT: SAID, _FIELDS: {"message": text}})
    return Lines(as_json=True).format(record)


def writes_json() -> bool:
    """Return whether standard error is to hold nothing but JSON."""
    formatters = (handler.formatter for handler in logging.getLogger().handlers)
    return any(isinstance(formatter, Lines) and formatter.as_json for formatter in formatters)


def take_over(*prefixes: str) -> None:
    """Write what loggers of these names log as ours is; libraries give theirs handlers of their own."""
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if isinstance(logger, logging.Logger) and name.partition(".")[0] in prefixes:
            logger.handlers.clear()
            logger.setLevel(max(logger.level, logging.WARNING))
            logger.propagate = True


class Lines(logging.Formatter):
    """Records as lines for people, or as one JSON object each.

    For people: `WARNING faithview.server.access: what happened`, or an event with its time and its fields. In JSON:
    `time`, `level`, `event`, `logger`, then the event's fields or the `message`.
    """

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        event: str | None = getattr(record, _EVENT, None)
        fields: Mapping[str, object] = getattr(record, _FIELDS, {})
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        calls = _calls_of(record)
        if self.as_json:
            document: dict[str, object] = {
                "time": time,
                "level": record.levelname.lower(),
                "event": event or MESSAGE,
                "logger": record.name,
                **(fields if event else {"message": record.getMessage()}),
                **({"error": calls} if calls else {}),
            }
            return _blotted(json.dumps(document, default=str))
        text = f"{record.levelname} {record.name}: {record.getMessage()}"
        if event is not None:
            shown = " ".join(f"{name}={_short(value)}" for name, value in fields.items())
            text = f"{time} {record.levelname} {event} {shown}".rstrip()
        return _blotted("\n".join([text, *calls]))


def _read(variable: str, known: tuple[str, ...], *, usual: str) -> str:
    given = os.environ.get(variable, "").strip().lower() or usual
    if given not in known:
        raise InvalidInput(f"{variable} is {given!r}; it can be {', '.join(known)}.")
    return given


def _short(value: object) -> str:
    text = str(value)
    is_plain = text.isprintable() and not any(character in ' ="' for character in text)
    return text if text and is_plain else json.dumps(text)


def _calls_of(record: logging.LogRecord) -> list[str]:
    """Return the type of the record's error and where it was raised, the innermost call first; no message of it."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return []
    calls = traceback.extract_tb(error.__traceback__)
    return [type(error).__qualname__, *(f"  {call.filename}:{call.lineno} in {call.name}" for call in reversed(calls))]


def _blotted(line: str) -> str:
    """Return the line without passwords of addresses and values of variables that hold keys."""
    settings = [value for name, value in os.environ.items() if name.upper().endswith(_SECRET_ENDS)]
    for value in {part.strip() for setting in settings for part in (setting, *setting.split(","))}:
        if len(value) >= _SHORTEST_SECRET:
            line = line.replace(value, _BLOTTED)
    return _PASSWORD.sub(rf"\1{_BLOTTED}@", line)
