"""What the service adds to the judge, how many requests it answers, and whether it stays responsive. See README.md."""

import argparse
import asyncio
import gzip
import http.client
import json
import os
import resource
import socket
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

import aiohttp

from faithview.domain.sample import Sample
from faithview.services.dataset_files import open_dataset
from faithview.services.guard.guard import FaithfulnessGuard
from tests.dashboard import ROOT, free_port, start_server, with_open_files
from tests.performance import tables
from tests.performance.synthetic import make_samples
from tests.service import Service, running_service

_RAGTRUTH = ROOT.parent / "shared" / "bench" / "ragtruth.jsonl.gz"
_WARM_UP = 50
_TARGET_BESIDE_MS = 5.0
_TARGET_RATE = 200.0
_EMBEDDED_AT_ONCE = 8
# A share of requests in time that is no more than the clock's and the sockets' unevenness.
_RATE_TOLERANCE = 0.99
_SILENT = 1_100
_SILENCE_LASTS_S = 20
_PATIENCE_S = 5
_EXPORTS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What a load gave: latencies in seconds, other statuses than 200, and processor seconds of both sides."""

    seconds: float
    latencies: list[float]
    failed: int
    client_cpu: float
    service_cpu: float

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and return 0 if both targets are met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=_RAGTRUTH, help="answers to send; synthetic ones if it is absent")
    parser.add_argument("--answers", type=int, default=400, help="how many to send one after the other")
    parser.add_argument("--seconds", type=float, default=15.0, help="how long each load lasts")
    parser.add_argument("--attacks", action="store_true", help="only what an attacker can do to service and dashboard")
    parser.add_argument("--rate", type=float, default=_TARGET_RATE, help="requests a second to send")
    options = parser.parse_args(arguments)
    if options.attacks:
        sys.stdout.write(f"{tables.machine()}\n")
        with tempfile.TemporaryDirectory() as folder:
            return 1 if _show_silence(Path(folder)) + _show_exports(Path(folder)) else 0
    samples = _read(options.file, options.answers + _WARM_UP)
    sys.stdout.write(f"{tables.machine()}; answers from {_origin(options.file)}\n")
    with tempfile.TemporaryDirectory() as folder:
        beside = _show_beside(samples, Path(folder))
        rates = _show_load(samples, Path(folder), rate=options.rate, seconds=options.seconds)
        _show_health(samples, Path(folder), seconds=options.seconds)
    return 0 if beside < _TARGET_BESIDE_MS and max(rates) >= options.rate * _RATE_TOLERANCE else 1


def _read(path: Path, rows: int) -> list[Sample]:
    if path.exists():
        return list(open_dataset(path).read(limit=rows)[0])
    return make_samples(rows, seed=1)


def _origin(path: Path) -> str:
    return path.name if path.exists() else "synthetic answers"


def _show_beside(samples: Sequence[Sample], folder: Path) -> float:
    """Show how much longer a request takes than the judge alone, one after the other; return the median in ms."""
    rows = []
    figure = 0.0
    for judge, workers, count in (("lexical", 1, len(samples)), ("lexical", 2, len(samples)), ("embedded", 1, 120)):
        some = samples[: count + _WARM_UP]
        with (
            running_service(
                "--judge", judge, "--workers", str(workers), "--rate-limit", "0",
                database_url=f"sqlite:///{folder / 'store.db'}", log=folder / "service.log",
            ) as service,
            FaithfulnessGuard(judge) as guard,
        ):  # fmt: skip
            pairs = _pairs(some, service, guard)[_WARM_UP:]
        beside = [1000 * (asked - judged) for judged, asked in pairs]
        if judge == "lexical" and workers == 1:
            figure = tables.median(beside)
        rows.append([
            f"{judge}, {workers} {'process' if workers == 1 else 'processes'}", len(pairs),
            f"{1000 * tables.median([judged for judged, _ in pairs]):.2f}",
            f"{1000 * tables.median([asked for _, asked in pairs]):.2f}",
            *(f"{tables.quantile(beside, share):.2f}" for share in (0.5, 0.9, 0.99)),
        ])  # fmt: skip
    columns = ["judge", "answers", "judge alone, ms", "request, ms", "beside, p50", "p90", "p99"]
    met = "met" if figure < _TARGET_BESIDE_MS else "missed"
    tables.show(f"One request after the other, each beside the judge alone (p50 under 5 ms: {met})", columns, rows)
    return figure


def _pairs(samples: Sequence[Sample], service: Service, guard: FaithfulnessGuard) -> list[tuple[float, float]]:
    """Return for each answer the seconds of the judge alone and of the request; which comes first takes turns."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port)
    headers = {"Content-Type": "application/json"}
    pairs = []
    for number, sample in enumerate(samples):
        body = _body(sample)
        judged = asked = 0.0
        for is_request in (number % 2 == 0, number % 2 != 0):
            start = perf_counter()
            if is_request:
                connection.request("POST", "/check", body, headers)
                reply = connection.getresponse()
                reply.read()
                assert reply.status == 200
                asked = perf_counter() - start
            else:
                guard.check(answer=sample.answer, context=list(sample.chunks), question=sample.question)
                judged = perf_counter() - start
        pairs.append((judged, asked))
    connection.close()
    return pairs


def _show_load(samples: Sequence[Sample], folder: Path, *, rate: float, seconds: float) -> list[float]:
    """Show what a steady rate of requests gives, and what is the most; return the steady rates."""
    rows, steady = [], []
    for workers in (1, 2):
        with running_service(
            "--judge", "lexical", "--workers", str(workers), "--rate-limit", "0",
            database_url=f"sqlite:///{folder / 'store.db'}", log=folder / "service.log",
        ) as service:  # fmt: skip
            asyncio.run(_load(samples, service, rate=rate / 2, seconds=2))
            at_rate = asyncio.run(_load(samples, service, rate=rate, seconds=seconds))
            most = asyncio.run(_load(samples, service, rate=None, seconds=seconds))
        steady.append(at_rate.rate)
        for name, load in ((f"{rate:.0f} a second", at_rate), ("16 at a time", most)):
            rows.append([
                f"{workers} {'process' if workers == 1 else 'processes'}, {name}", len(load.latencies), load.failed,
                f"{load.rate:.0f}",
                *(f"{1000 * tables.quantile(load.latencies, share):.1f}" for share in (0.5, 0.95, 0.99)),
                f"{load.service_cpu / load.seconds:.2f}", f"{load.client_cpu / load.seconds:.2f}",
            ])  # fmt: skip
    columns = ["lexical", "answers", "failed", "a second", "p50, ms", "p95", "p99", "service, cores", "client, cores"]
    met = "met" if max(steady) >= rate * _RATE_TOLERANCE else "missed"
    tables.show(f"Load, the client on the same cores ({rate:.0f} a second: {met})", columns, rows)
    return steady


async def _load(samples: Sequence[Sample], service: Service, *, rate: float | None, seconds: float) -> Load:
    """Send requests at a rate, whether the earlier ones are answered or not; without a rate always 16 at a time."""
    bodies = [_body(sample) for sample in samples]
    latencies: list[float] = []
    failed = 0
    service_cpu, client_cpu = _cpu_of(service), _own_cpu()
    connector = aiohttp.TCPConnector(limit=0 if rate else 16)
    async with aiohttp.ClientSession(connector=connector, headers={"Content-Type": "application/json"}) as session:

        async def ask(number: int) -> None:
            nonlocal failed
            start = perf_counter()
            async with session.post(f"{service.url}/check", data=bodies[number % len(bodies)]) as reply:
                await reply.read()
                if reply.status != 200:
                    failed += 1
                    return
            latencies.append(perf_counter() - start)

        async def ask_on(first: int) -> None:
            number = first
            while perf_counter() < end:
                await ask(number)
                number += 16

        begin = perf_counter()
        end = begin + seconds
        async with asyncio.TaskGroup() as group:
            if rate is None:
                for first in range(16):
                    group.create_task(ask_on(first))
            else:
                for number in range(int(rate * seconds)):
                    await asyncio.sleep(max(0.0, begin + number / rate - perf_counter()))
                    group.create_task(ask(number))
        taken = perf_counter() - begin
    return Load(
        seconds=taken,
        latencies=latencies,
        failed=failed,
        client_cpu=_own_cpu() - client_cpu,
        service_cpu=_cpu_of(service) - service_cpu,
    )


def _show_health(samples: Sequence[Sample], folder: Path, *, seconds: float) -> None:
    """Show how soon /health answers while the judge has all it can do."""
    rows = []
    for judge, workers in (("lexical", 1), ("embedded", 1), ("embedded", 2)):
        with running_service(
            "--judge", judge, "--workers", str(workers), "--rate-limit", "0",
            database_url=f"sqlite:///{folder / 'store.db'}", log=folder / "service.log",
        ) as service:  # fmt: skip
            idle = _health(service, seconds=1)
            with ThreadPoolExecutor(1) as pool:
                load = pool.submit(_busy, samples, service, seconds)
                busy = _health(service, seconds=seconds - 1)
                judged = load.result()
        figures = [f"{1000 * tables.quantile(times, share):.1f}" for times in (idle, busy) for share in (0.5, 0.99)]
        rows.append([f"{judge}, {workers} {'process' if workers == 1 else 'processes'}", judged, len(busy), *figures])
    columns = ["judge", "answers judged", "asked", "idle p50, ms", "p99", "busy p50, ms", "p99"]
    tables.show(f"GET /health while {_EMBEDDED_AT_ONCE} requests are always with the judge", columns, rows)


def _busy(samples: Sequence[Sample], service: Service, seconds: float) -> int:
    async def ask_all() -> int:
        end = perf_counter() + seconds
        count = 0
        async with aiohttp.ClientSession(headers={"Content-Type": "application/json"}) as session:

            async def ask_on(first: int) -> None:
                nonlocal count
                number = first
                while perf_counter() < end:
                    async with session.post(
                        f"{service.url}/check", data=_body(samples[number % len(samples)])
                    ) as reply:
                        await reply.read()
                    count += 1
                    number += _EMBEDDED_AT_ONCE

            await asyncio.gather(*(ask_on(first) for first in range(_EMBEDDED_AT_ONCE)))
        return count

    return asyncio.run(ask_all())


def _health(service: Service, *, seconds: float) -> list[float]:
    times = []
    connection = http.client.HTTPConnection("127.0.0.1", service.port)
    end = perf_counter() + seconds
    while perf_counter() < end:
        start = perf_counter()
        connection.request("GET", "/health")
        connection.getresponse().read()
        times.append(perf_counter() - start)
        sleep(0.05)
    connection.close()
    return times


def _show_silence(folder: Path) -> int:
    """Show what connections do that send no whole request; return how many servers did not answer beside them."""
    rows, failed = [], 0
    for kind in ("service", "dashboard"):
        log = folder / f"{kind}.log"
        with _server(kind, folder, log) as server, ExitStack() as sockets:
            for _ in range(_SILENT):
                silent = socket.socket()
                sockets.callback(silent.close)
                silent.settimeout(_PATIENCE_S)
                with suppress(OSError):
                    silent.connect(("127.0.0.1", server.port))
                    silent.sendall(b"GET /h")
            begin, asked = perf_counter(), []
            while perf_counter() < begin + _SILENCE_LASTS_S:
                asked.append(_health_s(server.port))
                sleep(1)
            slowest = None if None in asked else max(filter(None, asked))
            failed += slowest is None
            rows.append([
                kind, f"{asked.count(None)} of {len(asked)}", "-" if slowest is None else f"{1000 * slowest:.0f}",
                _files_of(server.process.pid), f"{log.stat().st_size / 1000:.0f}",
            ])  # fmt: skip
    columns = ["", "/health unanswered", "slowest, ms", "open files at the end", "log, KB"]
    tables.show(f"{_SILENT:,} connections that send 'GET /h', for {_SILENCE_LASTS_S} s, 1,024 files", columns, rows)
    return failed


def _show_exports(folder: Path) -> int:
    """Show what exports of spans do that are all attributes; return how many replies had another status than wanted."""
    rows, failed = [], 0
    bodies = {
        "protobuf, 3.9 million empty attributes": (_empty_attributes(3_900_000), "application/x-protobuf"),
        "protobuf, 3.9 million empty links": (_empty_attributes(3_900_000, field=13), "application/x-protobuf"),
        "JSON, 2.7 million empty attributes": (
            b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"aa","spanId":"bb","attributes":['
            + b",".join([b"{}"] * 2_700_000) + b"]}]}]}]}",
            "application/json",
        ),
    }  # fmt: skip
    for name, (body, kind) in bodies.items():
        packed = gzip.compress(body, 9)
        with _server("service", folder, folder / "service.log") as server:
            before, log = _peak_mb(server.process.pid), json.dumps({"answers": [{"answer": "a", "context": "b"}]})
            with ThreadPoolExecutor(_EXPORTS) as pool:
                begin = perf_counter()
                replies = [pool.submit(_export, server.port, packed, kind) for _ in range(_EXPORTS)]
                waits = [_post(server.port, "/log", log.encode())[1]]
                while not all(reply.done() for reply in replies):
                    waits.append(_post(server.port, "/log", log.encode())[1])
                taken = perf_counter() - begin
            statuses = Counter(reply.result() for reply in replies)
            failed += sum(count for status, count in statuses.items() if status not in (413, 503))
            rows.append([
                name, f"{len(packed) / 1000:.1f}", f"{taken:.1f}", f"{_peak_mb(server.process.pid) - before:.0f}",
                f"{1000 * max(waits):.0f}", ", ".join(f"{count} x {status}" for status, count in statuses.items()),
            ])  # fmt: skip
    columns = ["body", "packed, KB", "seconds", "more memory, MB", "slowest /log, ms", "replies"]
    tables.show(f"{_EXPORTS} exports to /v1/traces at once, of 8 MB unpacked", columns, rows)
    return failed


@contextmanager
def _server(kind: str, folder: Path, log: Path) -> Iterator[Service]:
    """Start a service or a dashboard that can have 1,024 files open."""
    database = f"sqlite:///{folder / 'store.db'}"
    if kind == "service":
        with running_service("--judge", "lexical", database_url=database, log=log, open_files=1_024) as service:
            yield service
        return
    port = free_port()
    command = [sys.executable, "-P", "-m", "faithview.ui.serving.dashboard_server", "--port", str(port)]
    environment = {"FAITHVIEW_DB": database, "HOME": str(folder)}
    running = start_server(with_open_files(command, 1_024), port=port, log=log, environment=environment)
    try:
        yield Service(port=port, log=log, process=running.process)
    finally:
        running.stop()


def _health_s(port: int) -> float | None:
    """Return the seconds until /health has answered over a new connection; None where it has not."""
    begin = perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE_S)
    try:
        connection.request("GET", "/health")
        connection.getresponse().read()
    except OSError:
        return None
    finally:
        connection.close()
    return perf_counter() - begin


def _files_of(pid: int) -> int:
    """Return how many files a process has open (Linux only)."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def _peak_mb(pid: int) -> float:
    """Return the most memory that a process has had, in MB (Linux only)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _empty_attributes(count: int, *, field: int = 9) -> bytes:
    """Return an export of one span that has so many empty attributes, or empty messages of another field."""
    span = b"\x0a\x10" + bytes(range(16)) + b"\x12\x08" + bytes(range(8)) + bytes([field << 3 | 2, 0]) * count
    for tag in (b"\x12", b"\x12", b"\x0a"):
        span = tag + _varint(len(span)) + span
    return span


def _varint(number: int) -> bytes:
    low = bytes([number & 0x7F | (0x80 if number > 0x7F else 0)])
    return low + _varint(number >> 7) if number > 0x7F else low


def _export(port: int, body: bytes, kind: str) -> int:
    return _post(port, "/v1/traces", body, **{"Content-Type": kind, "Content-Encoding": "gzip"})[0]


def _post(port: int, path: str, body: bytes, **headers: str) -> tuple[int, float]:
    """Return the status of the reply and the seconds until it was there."""
    begin = perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
    reply = connection.getresponse()
    reply.read()
    connection.close()
    return reply.status, perf_counter() - begin


def _body(sample: Sample) -> bytes:
    context = [{"id": chunk.chunk_id, "text": chunk.text} for chunk in sample.chunks]
    return json.dumps({"answer": sample.answer, "question": sample.question, "context": context}).encode()


def _own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _cpu_of(service: Service) -> float:
    """Return the processor seconds of the service and of its processes (Linux only; 0 elsewhere)."""
    ticks = 0
    pids = [service.process.pid]
    for pid in pids:
        try:
            for task in Path(f"/proc/{pid}/task").iterdir():
                pids += [int(child) for child in (task / "children").read_text().split()]
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
