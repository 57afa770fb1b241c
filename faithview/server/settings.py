"""Settings and limits of the service."""

from dataclasses import dataclass, field

from faithview.domain.errors import InvalidInput
from faithview.domain.run import DEFAULT_JUDGE
from faithview.hosts import Hosts, is_loopback
from faithview.services.traces import JoinLimits

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8600

# Listening on these is listening on all addresses of the machine; no request is addressed to them.
_EVERY_ADDRESS = ("", "0.0.0.0", "::")  # noqa: S104 - told apart, not bound to

# Texts in one request to judge. The rules take about seven seconds for the longest answer with the longest context.
MOST_ANSWER_CHARACTERS = 20_000
MOST_QUESTION_CHARACTERS = 10_000
MOST_CHUNKS = 100
MOST_CHUNK_CHARACTERS = 100_000
MOST_CONTEXT_CHARACTERS = 500_000
MOST_LOGGED_AT_ONCE = 500

# A shorter secret can be guessed.
_SHORTEST_TOKEN = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on the work that clients can cause.

    Attributes:
        body_bytes: the longest body of a request, also after it was unpacked.
        exports_at_once: how many exports of spans are unpacked and read at a time.
        exports_waiting: how many more wait for it.
        judgements_at_once: how many answers are with the judge at a time.
        waiting: how many more wait for the judge.
        judge_seconds: how long an answer may wait and be judged.
        stop_seconds: how long requests under way may take when the service stops.
    """

    body_bytes: int = 8 * 1024 * 1024
    exports_at_once: int = 2
    exports_waiting: int = 8
    judgements_at_once: int = 32
    waiting: int = 128
    judge_seconds: float = 60.0
    stop_seconds: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Settings of the service.

    Any of `tokens` is accepted, so a new one can be introduced before the old one is removed. `allowed_hosts` are
    accepted host names besides this machine's (see `Hosts`). `cors_origins` are web origins whose pages may read
    replies. With `warms_up` the judge judges sample answers before the service is ready; a judge that calls a model
    elsewhere does not, because that costs money.
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    tokens: tuple[str, ...] = field(default=(), repr=False)
    allowed_hosts: tuple[str, ...] = ()
    cors_origins: tuple[str, ...] = ()
    judge: str = DEFAULT_JUDGE
    warms_up: bool = True
    limits: Limits = Limits()
    joining: JoinLimits = field(default_factory=JoinLimits)

    def __post_init__(self) -> None:
        if not self.tokens and not is_loopback(self.host):
            raise InvalidInput(
                f"Without a token the service listens on this machine only, not on {self.host!r}: every client that "
                "reaches it could use it. Set FAITHVIEW_TOKEN to a long random text, or leave --host out."
            )
        _ = self.hosts  # raises where a name cannot be one
        for token in self.tokens:
            if len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
                raise InvalidInput(
                    f"A token needs at least {_SHORTEST_TOKEN} printable ASCII characters without spaces. Make one "
                    "with `python -c 'import secrets; print(secrets.token_urlsafe(32))'`."
                )

    @property
    def hosts(self) -> Hosts:
        """The names that a request may be addressed to: this machine's, the one listened on, and the allowed ones."""
        own = (self.host,) if self.host not in _EVERY_ADDRESS else ()
        return Hosts(allowed=(*own, *self.allowed_hosts))


def read_tokens(text: str | None) -> tuple[str, ...]:
    """Return the tokens in an environment variable: several are separated by commas."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())
