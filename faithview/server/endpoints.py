"""The addresses of the service: what each takes, does and answers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from faithview.documents.answers import CheckDocument
from faithview.documents.diagnosis import HealthDocument, ReadyDocument
from faithview.documents.guard import CorrectionDocument, GuardDocument, GuardedDocument
from faithview.documents.live import LogDocument
from faithview.domain.live import DEFAULT_APPLICATION, Appended, LogRecord, Refusal
from faithview.server.bodies import CheckBody, GuardBody, LogBody, LoggedBody, Unusable, chunks_of
from faithview.server.errors import Refused, busy
from faithview.server.limits import Line, while_client_waits
from faithview.server.metrics import CONTENT_TYPE, Metrics
from faithview.server.settings import Limits
from faithview.services import schema
from faithview.services.container import Store
from faithview.services.guard.guard import FaithfulnessGuard
from faithview.services.live.append import append_answers
from faithview.version import __version__

_T = TypeVar("_T")

_log = logging.getLogger(__name__)
# Requests that wait to be stored; each may have hundreds of answers.
_MOST_WRITES_WAITING = 64


class Endpoints:
    """The guard, the store, and the lines of requests before them."""

    def __init__(self, guard: FaithfulnessGuard, store: Store, metrics: Metrics, limits: Limits) -> None:
        self._guard = guard
        self._store = store
        self._metrics = metrics
        self._seconds = limits.judge_seconds
        self._line = Line("answers wait for the judge", at_once=limits.judgements_at_once, waiting=limits.waiting)
        self._writes = Line("answers wait to be stored", at_once=1, waiting=_MOST_WRITES_WAITING, retry_after_s=2)
        self.judge_works = asyncio.Event()
        metrics.watch("judging", "Answers with the judge.", lambda: self._line.running)
        metrics.watch("waiting_for_judge", "Answers that wait for the judge.", lambda: self._line.waiting)
        metrics.watch("log_queue", "Requests that wait to be stored.", lambda: self._writes.waiting)

    async def check(self, body: CheckBody, request: Request) -> CheckDocument:
        """Judge an answer claim by claim."""
        found = await self._judged(request, "check", partial(self._guard.acheck, **body.arguments()))
        self._metrics.count_result(found.result)
        return CheckDocument.of(found.result)

    async def guard(self, body: GuardBody, request: Request) -> GuardDocument | GuardedDocument:
        """Judge an answer and say whether it may be sent; correct it if that is asked for."""
        if body.correct:
            guarded = await self._judged(request, "guard", partial(self._guard.aguard_and_correct, **body.arguments()))
            self._metrics.count("corrected", "yes" if guarded.changed else "no")
            reply: GuardDocument | GuardedDocument = GuardedDocument.of(guarded.after, guarded)
            result = guarded.before.result
        else:
            found = await self._judged(request, "guard", partial(self._guard.acheck, **body.arguments()))
            reply, result = GuardDocument.of(found), found.result
        self._metrics.count_result(result)
        self._metrics.count("guarded", "passed" if reply.passed else "blocked")
        return reply

    async def correct(self, body: CheckBody, request: Request) -> CorrectionDocument:
        """Correct an answer; the corrected one is not judged again."""
        correction = await self._judged(request, "correct", partial(self._guard.acorrect, **body.arguments()))
        self._metrics.count_result(correction.check.result)
        self._metrics.count("corrected", "yes" if correction.changed else "no")
        return CorrectionDocument.of(correction)

    async def log(self, body: LogBody) -> LogDocument:
        """Store answers of a live application; the reply comes when they are in the store."""
        places = [place for place, item in enumerate(body.answers) if isinstance(item, LoggedBody)]
        records = [_record(body.answers[place], body.application or DEFAULT_APPLICATION) for place in places]
        unusable = {place: item for place, item in enumerate(body.answers) if isinstance(item, Unusable)}
        try:
            refused = (await self.append(records)).refused if records else ()
        except Refused:
            self._metrics.count("logged_answers", "unavailable", by=len(records))
            raise
        unusable |= {places[item.index]: Unusable(item.record_id, "", item.reason) for item in refused}
        accepted = len(records) - len(refused)
        self._metrics.count("logged_answers", "accepted", by=accepted)
        self._metrics.count("logged_answers", "refused", by=len(unusable))
        faults = [(place, _field(place, item), item) for place, item in sorted(unusable.items())]
        if not accepted:
            _, field, first = faults[0]
            raise Refused(422, first.message, field=field)
        return LogDocument.of(
            accepted=accepted,
            refused=[
                Refusal(index=place, record_id=item.record_id, reason=f"{field}: {item.message}")
                for place, field, item in faults
            ],
        )

    async def append(self, records: Sequence[LogRecord]) -> Appended:
        """Store answers, those of one request at a time.

        Raises:
            Refused: too many wait, or the store cannot be used; these records have to be sent again.
        """
        async with self._writes.place():
            try:
                return await asyncio.to_thread(append_answers, self._store, records)
            except Exception as error:  # noqa: BLE001 - a border: the client is told, and it is logged
                _log.error("%d logged answers were not stored: %s", len(records), type(error).__name__)
        raise busy("The store cannot be written to; send the answers again later.", retry_after_s=2)

    async def health(self) -> HealthDocument:
        """Say that the service is alive."""
        return HealthDocument(version=__version__)

    async def ready(self, response: Response) -> ReadyDocument:
        """Say whether judge and store work: 200 if both do, else 503."""
        store, judge = await schema.answers(self._store.is_reachable), self.judge_works.is_set()
        response.status_code = 200 if store and judge else 503
        return ReadyDocument(ready=store and judge, judge=judge, store=store)

    async def metrics(self) -> Response:
        """Metrics for Prometheus."""
        return Response(self._metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    async def _judged(self, request: Request, task: str, judge: Callable[[], Awaitable[_T]]) -> _T:
        async def work() -> _T:
            try:
                async with asyncio.timeout(self._seconds), self._line.place():
                    with self._metrics.judge_seconds.labels(task).time():
                        return await judge()
            except TimeoutError:
                raise Refused(504, f"The judge took longer than {self._seconds:g} seconds.") from None

        return await while_client_waits(request, work())


def _field(place: int, item: Unusable) -> str:
    return ".".join(filter(None, ("answers", str(place), item.field)))


def _record(item: LoggedBody, application: str) -> LogRecord:
    return LogRecord(
        answer=item.answer,
        context=item.context if isinstance(item.context, str) else chunks_of(item.context),
        question=item.question,
        record_id=item.id,
        at=item.at,
        segment=item.segment,
        metadata=item.metadata,
        application=application,
    )
