"""The HTTP client of a vendor's SDK, which follows no redirect and reads no more of a reply than any model writes."""

from typing import Any, TypeVar

from faithview.domain.reply_body import ACCEPTED, ReplyBody, refuse_deep

_Client = TypeVar("_Client")

# A model writes 64,000 tokens at most, which is 300 KB. `parts` are lists and objects, of which a reply has a dozen.
MOST_BYTES, MOST_PARTS = 16 << 20, 100_000
# The results of a batch come together: 50,000 replies of ten times what is usual.
MOST_BATCH_BYTES, MOST_BATCH_PARTS = 512 << 20, 5_000_000
LEVELS = 100
_BATCH_RESULTS = ("/content", "/results")
# They describe the body as it was sent.
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def bounded_client(leanest: type[_Client], usual: type[_Client]) -> _Client:
    """Return a client of the SDK's own kind that is bounded.

    Args:
        leanest: the one over aiohttp, which takes a third less of the processor for a call than the SDK's own.
        usual: the SDK's own, for where aiohttp is not installed.
    """
    try:
        return _make(leanest)
    except RuntimeError:
        return _make(usual)


def _make(kind: type[_Client]) -> _Client:
    bounded: Any = type("Bounded", (_Bounded, kind), {})
    client: _Client = bounded(follow_redirects=False, headers={"Accept-Encoding": ACCEPTED})
    return client


class _Bounded:
    """What stands in front of a client of httpx, whichever version the SDK brings."""

    async def send(self, request: Any, **options: Any) -> Any:
        """Send a request and return its reply, read and unpacked.

        Raises:
            ReplyRefused: it is larger or deeper than any reply is, or packed in another way than was asked for.
            ReplyDamaged: it cannot be unpacked.
        """
        # The SDK asks for a stream where it wants one; a body in memory is read in the same way.
        options["stream"] = True
        response = await super().send(request, **options)  # type: ignore[misc]  # a mixin's
        is_batch = request.method == "GET" and request.url.path.endswith(_BATCH_RESULTS)
        most, parts = (MOST_BATCH_BYTES, MOST_BATCH_PARTS) if is_batch else (MOST_BYTES, MOST_PARTS)
        try:
            taken = ReplyBody(response.headers.get_list("content-encoding"), most=most)
            async for block in response.aiter_raw():
                taken.take(block)
            body = taken.whole()
        finally:
            await response.aclose()
        refuse_deep(body, levels=LEVELS, parts=parts)
        read = type(response)(
            response.status_code,
            headers=[pair for pair in response.headers.multi_items() if pair[0].lower() not in _OF_THE_WIRE],
            content=body,
            request=request,
            extensions=response.extensions,
        )
        read.elapsed = response.elapsed
        return read
