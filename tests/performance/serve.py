"""What the service adds to the judge, how many requests it answers, and whether it stays responsive. See README.md."""

import argparse
import asyncio
import http.client
import json
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

import aiohttp

from faithview.domain.sample import Sample
from faithview.services.dataset_files import open_dataset
from faithview.services.guard.guard import FaithfulnessGuard
from tests.dashboard import ROOT
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
    parser.add_argument("--rate", type=float, default=_TARGET_RATE, help="requests a second to send")
    options = parser.parse_args(arguments)
    samples = _read(options.file, options.answers + _WARM_UP)
    sys.stdout.write(f"{tables.machine()}; answers from {_origin(options.file)}\n")
    with tempfile.TemporaryDirectory() as folder:
        beside = _show_beside(samples, Path(folder))
        rate = _show_load(samples, Path(folder), rate=options.rate, seconds=options.seconds)
        _show_health(samples, Path(folder), seconds=options.seconds)
    return 0 if beside < _TARGET_BESIDE_MS and rate >= options.rate * _RATE_TOLERANCE else 1


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
    for judge, count in (("lexical", len(samples)), ("embedded", 120)):
        some = samples[: count + _WARM_UP]
        with (
            running_service(
                "--judge", judge, database_url=f"sqlite:///{folder / 'store.db'}", log=folder / "service.log"
            ) as service,
            FaithfulnessGuard(judge) as guard,
        ):
            pairs = _pairs(some, service, guard)[_WARM_UP:]
        beside = [1000 * (asked - judged) for judged, asked in pairs]
        if judge == "lexical":
            figure = tables.median(beside)
        rows.append([
            judge, len(pairs),
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


def _show_load(samples: Sequence[Sample], folder: Path, *, rate: float, seconds: float) -> float:
    """Show what a steady rate of requests gives, and what is the most; return the steady rate."""
    with running_service(
        "--judge", "lexical", database_url=f"sqlite:///{folder / 'store.db'}", log=folder / "service.log"
    ) as service:
        asyncio.run(_load(samples, service, rate=rate / 2, seconds=2))
        at_rate = asyncio.run(_load(samples, service, rate=rate, seconds=seconds))
        most = asyncio.run(_load(samples, service, rate=None, seconds=seconds))
    rows = []
    for name, load in ((f"{rate:.0f} a second", at_rate), ("16 at a time", most)):
        rows.append([
            name, len(load.latencies), load.failed, f"{load.rate:.0f}",
            *(f"{1000 * tables.quantile(load.latencies, share):.1f}" for share in (0.5, 0.95, 0.99)),
            f"{load.service_cpu / load.seconds:.2f}", f"{load.client_cpu / load.seconds:.2f}",
        ])  # fmt: skip
    columns = ["lexical", "answers", "failed", "a second", "p50, ms", "p95", "p99", "service, cores", "client, cores"]
    met = "met" if at_rate.rate >= rate * _RATE_TOLERANCE else "missed"
    tables.show(f"Load, the client on the same cores ({rate:.0f} a second: {met})", columns, rows)
    return at_rate.rate


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
    for judge in ("lexical", "embedded"):
        with running_service(
            "--judge", judge, database_url=f"sqlite:///{folder / 'store.db'}", log=folder / "service.log"
        ) as service:
            idle = _health(service, seconds=1)
            with ThreadPoolExecutor(1) as pool:
                load = pool.submit(_busy, samples, service, seconds)
                busy = _health(service, seconds=seconds - 1)
                judged = load.result()
        figures = [f"{1000 * tables.quantile(times, share):.1f}" for times in (idle, busy) for share in (0.5, 0.99)]
        rows.append([judge, judged, len(busy), *figures])
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
