"""`/log`: answers of a live application, to be judged later by `faithview watch`."""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from faithview.documents.live import LogDocument
from faithview.domain.live.logged_answer import DEFAULT_APPLICATION, LogRecord
from faithview.server.errors import INVALID, Refused, json_response
from faithview.server.log_writer import LogWriter
from faithview.server.metrics import Metrics
from faithview.server.openapi.request_bodies import ChunkBody, LoggedBody, receive_answers


class AnswerLog:
    """Stores what is logged."""

    def __init__(self, writer: LogWriter, counts: Metrics) -> None:
        self._writer = writer
        self._metrics = counts

    async def log(self, request: Request) -> Response:
        """Store answers; the reply comes when they are in the store."""
        body = await receive_answers(request)
        application = body.application or DEFAULT_APPLICATION
        records = [_record(item, application) for _, item in body.answers]
        try:
            not_stored = await self._writer.store(records)
        except Refused:
            self._metrics.count_logged("unavailable", len(records))
            raise
        accepted = len(records) - len(not_stored)
        placed = [replace(item, index=body.answers[item.index][0]) for item in not_stored]
        refused = sorted([*body.refused, *placed], key=lambda item: item.index)
        self._metrics.count_logged("accepted", accepted)
        self._metrics.count_logged("refused", len(refused))
        if not accepted:
            raise Refused(INVALID, refused[0].reason, field=f"answers.{refused[0].index}")
        return json_response(LogDocument.of(accepted=accepted, refused=refused))


def _record(item: LoggedBody, application: str) -> LogRecord:
    context = item.context if isinstance(item.context, str) else [_chunk(chunk) for chunk in item.context]
    return LogRecord(
        answer=item.answer,
        context=context,
        question=item.question,
        record_id=item.id,
        at=item.at,
        segment=item.segment,
        metadata=item.metadata,
        application=application,
    )


def _chunk(chunk: str | ChunkBody) -> object:
    return chunk if isinstance(chunk, str) else chunk.chunk()
