"""s3-bench as a process: results, refusals, and what it leaves behind."""

import csv
import json
import os
import signal
import socket
import subprocess
import threading
import time
import uuid
from pathlib import Path

import pytest

from mock_server import clean_environment, program

MIB = 1 << 20


class Bench:
    """Runs s3-bench in a directory; every process that it starts can be found by a mark."""

    def __init__(self, directory):
        self.directory = directory
        self.data = directory / "data"
        self.data.mkdir()
        self.mark = f"mock-s3-test-{uuid.uuid4()}"
        self.env = clean_environment(
            MARK_OF_TEST=self.mark, HOME=str(directory), AWS_MAX_ATTEMPTS="1"
        )

    def start(self, *arguments, **environment):
        return subprocess.Popen(
            [program("s3-bench"), *arguments],
            cwd=self.directory,
            env=self.env | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments, timeout=300, **environment):
        process = self.start(*arguments, **environment)
        try:
            process.out, process.err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            raise AssertionError(f"still running after {timeout} s\n{out}\n{err}") from None
        self.nothing_is_left()
        return process

    def sweep(self, *arguments, **environment):
        return self.run("sweep", "--data-dir", str(self.data), *arguments, **environment)

    def report(self):
        """The run.json of the one run directory."""
        (found,) = self.directory.glob("runs/*/run.json")
        return json.loads(found.read_text()), found.parent

    def processes(self):
        mark = self.mark.encode()
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (entry / "environ").read_bytes():
                    found.append((entry.name, (entry / "cmdline").read_bytes()))
            except OSError:
                pass  # it ended in between, or is not ours
        return found

    def nothing_is_left(self):
        for _ in range(50):
            if not self.processes():
                break
            time.sleep(0.1)
        assert self.processes() == []
        if self.data.is_dir():
            assert list(self.data.iterdir()) == []


@pytest.fixture
def bench(ram):
    return Bench(ram)


def fails_with_one_line(process, status):
    assert process.returncode == status, (process.out, process.err)
    lines = process.err.splitlines()
    assert len(lines) == 1, process.err
    return lines[0]


ROW_FIELDS = {
    "client", "op", "threads", "files", "file_size_bytes", "bytes", "duration_s",
    "rate_bytes_per_s", "ceiling_bytes_per_s", "ceiling_ratio", "client_cpu_s", "server_cpu_s",
    "peak_rss_bytes", "requests", "valid", "why_invalid", "verdict",
}  # fmt: skip


def check_run(bench, ops):
    """The files of a run directory, whose rows must all be valid; gives the rows."""
    report, directory = bench.report()
    assert {"schema", "provenance", "settings", "results"} <= report.keys()
    assert report["provenance"]
    for row in report["results"]:
        assert ROW_FIELDS <= row.keys()
        assert row["valid"], row["why_invalid"]
        assert {"median", "low", "high", "n"} <= row["rate_bytes_per_s"].keys()
        assert row["rate_bytes_per_s"]["low"] <= row["rate_bytes_per_s"]["median"]
        assert row["rate_bytes_per_s"]["median"] <= row["rate_bytes_per_s"]["high"]
        assert row["duration_s"] > 0 and row["client_cpu_s"] > 0
        assert row["op"] in ops
    for name in ("table.md", "bench.txt", "samples.csv"):
        assert (directory / name).stat().st_size > 0, name
    with open(directory / "samples.csv", newline="") as file:
        lines = [line for line in csv.reader(file) if not line[0].startswith("#")]
    assert len(lines) > 1 and len({len(line) for line in lines}) == 1
    return report["results"]


@pytest.mark.parametrize("op, count", [("put", "PutObject"), ("get", "GetObject")])
def test_native_load(bench, op, count):
    done = bench.run(op, "--threads", "2", "--size", "8MiB", "--duration", "1s", "--repeat", "1")
    assert done.returncode == 0, (done.out, done.err)
    assert "MiB/s" in done.out
    (row,) = check_run(bench, {op})
    assert row["client"] == "native" and row["threads"] == 2
    assert row["requests"][count] * 8 * MIB == row["bytes"]
    service = row["latency_ns"]["service"]
    assert service["n"] == row["requests"][count]
    assert 0 < service["p50"] <= service["p90"] <= service["p99"] <= service["max"]


def test_native_load_counts_objects(bench, server):
    done = bench.run("put", "--objects", "7", "--size", "1000", "--repeat", "1",
                     "--endpoint", server.url)  # fmt: skip
    assert done.returncode == 0, (done.out, done.err)
    (row,) = check_run(bench, {"put"})
    assert row["bytes"] == 7000 and row["requests"]["PutObject"] == 7


def test_native_parts(bench):
    done = bench.run("put", "--size", "20MiB", "--part-size", "8MiB", "--objects", "2",
                     "--repeat", "1")  # fmt: skip
    assert done.returncode == 0, (done.out, done.err)
    (row,) = check_run(bench, {"put"})
    counts = {"CreateMultipartUpload": 2, "UploadPart": 6, "CompleteMultipartUpload": 2}
    assert counts.items() <= row["requests"].items()
    assert "PutObject" not in row["requests"]


CLIENTS = {"native", "aws-cli", "s5cmd", "rclone", "boto3"}


def cells(rows):
    return {(r["client"], r["op"], r["threads"], r["files"], r["file_size_bytes"]) for r in rows}


def test_sweep_of_every_client(bench):
    done = bench.sweep("--threads", "2", "--files", "3x9MiB", "--repeat", "1")
    assert done.returncode == 0, (done.out, done.err)
    rows = check_run(bench, {"put", "get"})
    assert cells(rows) == {(c, op, 2, 3, 9 * MIB) for c in CLIENTS for op in ("put", "get")}
    for row in rows:
        assert row["bytes"] == 27 * MIB
        assert row["peak_rss_bytes"] > MIB
    columns = [
        "Client", "Threads", "Files", "FileSize (MiB)", "TotalTransferred (MiB)", "Duration (s)",
        "Speed (MiB/s)",
    ]  # fmt: skip
    _, directory = bench.report()
    heads = [line for line in (directory / "table.md").read_text().splitlines() if "Client" in line]
    assert [cell.strip() for cell in heads[0].strip("| ").split("|")][: len(columns)] == columns
    assert all(client in done.out for client in CLIENTS)


def test_sweep_of_threads_and_files(bench):
    done = bench.sweep("--clients", "native,s5cmd", "--threads", "1,2", "--files", "4x1MiB,1x9MiB",
                       "--repeat", "2")  # fmt: skip
    assert done.returncode == 0, (done.out, done.err)
    rows = check_run(bench, {"put", "get"})
    assert cells(rows) == {
        (client, op, threads, files, size)
        for client in ("native", "s5cmd")
        for op in ("put", "get")
        for threads in (1, 2)
        for files, size in ((4, MIB), (1, 9 * MIB))
    }
    assert {row["rate_bytes_per_s"]["n"] for row in rows} == {2}


def test_sweep_against_a_running_server(bench, server):
    done = bench.sweep("--clients", "native", "--threads", "1", "--files", "2x1MiB",
                       "--repeat", "1", AWS_ENDPOINT_URL=server.url)  # fmt: skip
    assert done.returncode == 0, (done.out, done.err)
    assert len(check_run(bench, {"put", "get"})) == 2


def test_out_names_the_run_directory(bench):
    done = bench.sweep("--clients", "native", "--threads", "1", "--files", "1x1MiB",
                       "--repeat", "1", "--out", "here/it is")  # fmt: skip
    assert done.returncode == 0, (done.out, done.err)
    assert (bench.directory / "here/it is/run.json").is_file()
    assert "here/it is" in done.out
    assert not (bench.directory / "runs").exists()


def test_ceiling(bench):
    done = bench.run("ceiling", "--streams", "1", "--time", "200ms")
    assert done.returncode == 0, (done.out, done.err)
    assert "MiB/s" in done.out


@pytest.mark.parametrize(
    "arguments, named",
    [
        (["sweep", "--no-such-flag"], "--no-such-flag"),
        (["sweep", "--clients", "native,nonesuch"], "nonesuch"),
        (["sweep", "--files", "12"], "--files"),
        (["sweep", "--files", "0x1MiB"], "--files"),
        (["sweep", "--threads", "0"], "--threads"),
        (["sweep", "--ops", "put,fly"], "fly"),
        (["put", "--size", "5parsecs"], "--size"),
        (["put", "--threads", "0"], "--threads"),
        (["put", "--duration", "-1s"], "--duration"),
        (["get", "--endpoint", "not a url"], "--endpoint"),
        (["get", "--endpoint", "ftp://127.0.0.1"], "--endpoint"),
        (["fly"], "fly"),
    ],
    ids=" ".join,
)
def test_bad_usage(bench, arguments, named):
    assert named in fails_with_one_line(bench.run(*arguments), 2)
    assert not (bench.directory / "runs").exists()


def test_missing_tool(bench, tmp_path):
    """A tool that --clients names must be there."""
    (tmp_path / "empty").mkdir()
    done = bench.sweep("--clients", "native,s5cmd", "--files", "1x1MiB", PATH=str(tmp_path / "empty"))
    assert "s5cmd" in fails_with_one_line(done, 1)


def test_tools_are_not_needed(bench, tmp_path):
    """Without --clients a sweep takes what is there."""
    (tmp_path / "empty").mkdir()
    done = bench.sweep("--threads", "1", "--files", "1x1MiB", "--repeat", "1",
                       PATH=str(tmp_path / "empty"))  # fmt: skip
    assert done.returncode == 0, (done.out, done.err)
    assert {row["client"] for row in check_run(bench, {"put", "get"})} == {"native"}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@pytest.mark.parametrize("command", ["put", "get", "sweep"])
def test_unreachable_endpoint(bench, command):
    url = f"http://127.0.0.1:{free_port()}"
    line = fails_with_one_line(bench.run(command, "--endpoint", url), 1)
    assert url.removeprefix("http://") in line


def test_data_directory_that_is_a_file(bench):
    (bench.directory / "file").write_text("mine")
    done = bench.run("sweep", "--clients", "s5cmd", "--files", "1x1MiB",
                     "--data-dir", str(bench.directory / "file"))  # fmt: skip
    assert str(bench.directory / "file") in fails_with_one_line(done, 1)
    assert (bench.directory / "file").read_text() == "mine"


def test_data_directory_without_room(bench):
    done = bench.sweep("--clients", "s5cmd", "--files", "1000x1GiB")
    assert str(bench.data) in fails_with_one_line(done, 1)


def test_out_that_is_a_file(bench):
    (bench.directory / "file").write_text("mine")
    done = bench.sweep("--clients", "native", "--files", "1x1MiB",
                       "--out", str(bench.directory / "file"))  # fmt: skip
    assert str(bench.directory / "file") in fails_with_one_line(done, 1)
    assert (bench.directory / "file").read_text() == "mine"


def test_failing_tool_does_not_stop_the_others(bench, tmp_path):
    """Its row says failed, and its own message is shown."""
    tool = tmp_path / "s5cmd"
    tool.write_text(
        '#!/bin/sh\ncase "$*" in *version*) echo v2.3.0; exit 0;; esac\n'
        "echo the tool broke >&2\nexit 3\n"
    )
    tool.chmod(0o755)
    done = bench.sweep("--clients", "native,s5cmd", "--threads", "1", "--files", "1x1MiB",
                       "--ops", "put", "--repeat", "1",
                       PATH=f"{tmp_path}:{os.environ['PATH']}")  # fmt: skip
    assert done.returncode == 1
    assert "the tool broke" in done.out + done.err
    report, _ = bench.report()
    rows = {row["client"]: row for row in report["results"]}
    assert rows["native"]["valid"] and not rows["s5cmd"]["valid"]
    assert rows["s5cmd"]["why_invalid"]


@pytest.mark.parametrize("clients", ["native", "aws-cli"])
def test_interrupt(bench, clients):
    """Ctrl-C: the results so far, no process, no temporary file."""
    process = bench.start("sweep", "--data-dir", str(bench.data), "--clients", clients,
                          "--threads", "1,2", "--files", "4x16MiB", "--repeat", "500")  # fmt: skip
    for line in process.stderr:
        if line.startswith("[1/"):  # a first result is there
            break
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    bench.nothing_is_left()
    assert process.returncode != 0
    report, _ = bench.report()
    assert report["partial"] is True, (out, err)


def test_killed_bench_leaves_no_server(bench):
    process = bench.start("sweep", "--data-dir", str(bench.data), "--clients", "native",
                          "--threads", "1", "--files", "4x16MiB", "--repeat", "500")  # fmt: skip
    for _ in range(100):
        time.sleep(0.1)
        if len(bench.processes()) > 1:
            break
    process.kill()
    process.communicate(timeout=30)
    for _ in range(50):
        if not bench.processes():
            break
        time.sleep(0.1)
    assert bench.processes() == []


def test_server_that_is_no_mock_s3(bench, server):
    """Without /_mock/ pages the client's own figures remain: nothing is made up."""
    def forward(connection):
        """Passes HTTP through, but answers 404 where /_mock/ is asked for."""
        with connection, socket.create_connection(("127.0.0.1", server.port)) as upstream:
            first = connection.recv(65536)
            if b" /_mock/" in first.split(b"\r\n", 1)[0]:
                connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n"
                                   b"Connection: close\r\n\r\n")  # fmt: skip
                return
            upstream.sendall(first)
            back = threading.Thread(target=pump, args=(upstream, connection), daemon=True)
            back.start()
            pump(connection, upstream)
            back.join(10)

    def pump(source, target):
        try:
            while data := source.recv(1 << 18):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def accept_all():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=forward, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept_all, daemon=True).start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        done = bench.run("put", "--endpoint", url, "--objects", "5", "--size", "1MiB",
                         "--repeat", "1")  # fmt: skip
    assert done.returncode == 0, (done.out, done.err)
    report, _ = bench.report()
    (row,) = report["results"]
    assert row["bytes"] == 5 * MIB and row["server_cpu_s"] is None
