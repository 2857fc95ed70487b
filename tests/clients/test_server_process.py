"""mock-s3 as a process: how it starts, what it refuses, how it ends, what it uses."""

import re
import signal
import socket
import subprocess
import threading
import time
import urllib.error

import pytest

from mock_server import MockServer, clean_environment, program
from tools import Boto3, run

MIB = 1 << 20


def refused(*arguments, status, **environment):
    """Starts mock-s3, which must end at once with the status; gives its one line of complaint."""
    done = subprocess.run(
        [program("mock-s3"), *arguments],
        env=clean_environment(**environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert done.returncode == status, done
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0], done.stderr
    return lines[0]


@pytest.mark.parametrize(
    "arguments, named",
    [
        (["--workers", "0"], "--workers"),
        (["--workers", "-1"], "--workers"),
        (["--workers", "many"], "--workers"),
        (["--no-such-flag"], "--no-such-flag"),
        (["--port", "65536"], "--port"),
        (["--port", "http"], "--port"),
        (["--port"], "--port"),
        (["stray"], "stray"),
        (["--preload", "bench/k"], "--preload"),
        (["--preload", "bench/k:12parsecs"], "--preload"),
        (["--preload", "bench/{9..1}:1KiB"], "--preload"),
        (["--idle-timeout", "soon"], "--idle-timeout"),
        (["--grace", "-1s"], "--grace"),
        (["--config", "/no/such/file.toml"], "/no/such/file.toml"),
    ],
    ids=" ".join,
)
def test_bad_flag(arguments, named):
    assert named in refused(*arguments, status=2)


def test_bad_environment_variable():
    assert "MOCK_S3_WORKERS" in refused(status=2, MOCK_S3_WORKERS="0")


def test_port_in_use():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refused("--port", str(port), "--bind", "127.0.0.1", status=1)
        assert str(port) in line and "in use" in line


def test_address_of_another_machine():
    assert "192.0.2.1" in refused("--bind", "192.0.2.1", "--port", "0", status=1)


def test_help_and_version():
    assert "--workers" in run([program("mock-s3"), "--help"])
    for name in ("mock-s3", "s3-bench", "data-gen"):
        assert re.search(r"\S", run([program(name), "--version"]))


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_ends_with_totals(signal_number, tmp_path):
    with MockServer() as server:
        Boto3(server.url, tmp_path).s3.put_object(Bucket="b0b", Key="k", Body=b"x" * 3 * MIB)
        server.process.send_signal(signal_number)
        assert server.process.wait(10) == 0
        server._reader.join(5)
        total = [line for line in server.lines if line.startswith("total:")]
        assert len(total) == 1 and "1 requests" in total[0] and "3MiB" in total[0].replace(" ", "")


def test_silent_when_idle():
    with MockServer("--stats-interval", "100ms") as server:
        before = len(server.lines)
        time.sleep(0.6)
        assert server.lines[before:] == []


def test_interval_lines_under_load(tmp_path):
    with MockServer("--stats-interval", "100ms") as server:
        s3 = Boto3(server.url, tmp_path).s3
        end = time.monotonic() + 0.6
        while time.monotonic() < end:
            s3.put_object(Bucket="b0b", Key="k", Body=b"x" * MIB)
        assert sum("PutObject" in line for line in server.lines) >= 2


def half_an_upload(server):
    """A connection in the middle of a PUT of 1 GB."""
    connection = socket.create_connection(("127.0.0.1", server.port))
    head = "PUT /b0b/half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n"
    connection.sendall(head.encode() + b"x" * 1000)
    return connection


def test_stalled_upload_does_not_delay_the_end_beyond_the_grace():
    with MockServer("--grace", "1s") as server:
        with half_an_upload(server):
            time.sleep(0.2)
            start = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(10) == 0
            assert time.monotonic() - start < 4


def test_second_signal_ends_at_once():
    with MockServer("--grace", "60s") as server:
        with half_an_upload(server):
            time.sleep(0.2)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            assert server.process.poll() is None
            server.process.send_signal(signal.SIGTERM)
            server.check_status = False  # it is killed by the signal, and that is the status
            assert server.process.wait(5) != 0


def test_upload_cut_short_leaves_the_old_object(tmp_path):
    with MockServer() as server:
        s3 = Boto3(server.url, tmp_path).s3
        s3.put_object(Bucket="b0b", Key="half", Body=b"old")
        half_an_upload(server).close()
        time.sleep(0.2)
        assert s3.head_object(Bucket="b0b", Key="half")["ContentLength"] == 3
        assert [r["error"] for r in server.requests() if r["op"] == "PutObject"][1:] == [
            "IncompleteBody"
        ]


def test_preloaded_objects_are_read_without_an_upload(tmp_path):
    with MockServer("--preload", "bench/data/{00..31}:128MiB", "--preload", "b2b/k:1KiB") as server:
        s3 = Boto3(server.url, tmp_path)
        assert s3.list("bench") == {f"data/{i:02}": 128 * MIB for i in range(32)}
        assert s3.list("b2b") == {"k": 1024}
        s3.download("bench", "data/31", tmp_path / "down")
        assert (tmp_path / "down").stat().st_size == 128 * MIB


def test_strict_buckets(tmp_path):
    with MockServer("--strict-buckets") as server:
        s3 = Boto3(server.url, tmp_path).s3
        with pytest.raises(s3.exceptions.NoSuchBucket):
            s3.put_object(Bucket="missing", Key="k", Body=b"x")
    with MockServer() as server:
        Boto3(server.url, tmp_path).s3.put_object(Bucket="missing", Key="k", Body=b"x")


def test_config_file_and_environment(tmp_path):
    (tmp_path / "mock.toml").write_text('workers = 3\nregion = "eu-west-1"\n')
    arguments = ("--config", str(tmp_path / "mock.toml"))
    with MockServer(*arguments) as server:
        assert server.stats()["workers"] == 3
    with MockServer(*arguments, MOCK_S3_WORKERS="2") as server:
        assert server.stats()["workers"] == 2
    with MockServer(*arguments, "--workers", "1", MOCK_S3_WORKERS="2") as server:
        assert server.stats()["workers"] == 1


def test_listens_on_both_loopback_addresses_only():
    with MockServer() as server:
        for address in ("127.0.0.1", "::1"):
            with socket.create_connection((address, server.port), 5) as connection:
                connection.sendall(b"GET /_mock/health HTTP/1.1\r\nHost: x\r\n\r\n")
                assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        assert "this machine only" in server.output()


def test_open_to_all_is_said():
    with MockServer("--bind", "0.0.0.0") as server:
        assert "this machine only" not in server.output()
        assert server.admin("health")["status"] == "ok"


def test_admin_pages(tmp_path):
    with MockServer() as server:
        s3 = Boto3(server.url, tmp_path).s3
        assert server.admin("health")["status"] == "ok"
        s3.put_object(Bucket="b0b", Key="k", Body=b"x" * 1000)
        with pytest.raises(s3.exceptions.NoSuchKey):
            s3.get_object(Bucket="b0b", Key="missing")
        stats = server.stats()
        assert stats["requests"] == 2 and stats["bytes_in"] == 1000
        assert stats["errors"] == {"NoSuchKey": 1}
        assert stats["operations"]["PutObject"]["count"] == 1
        errors = server.admin("requests?errors")["requests"]
        assert [(r["op"], r["status"]) for r in errors] == [("GetObject", 404)]
        with pytest.raises(urllib.error.HTTPError) as refusal:
            server.call("/_mock/reset", "POST").close()  # without the header
        assert refusal.value.code == 403
        assert server.stats()["requests"] == 2
        server.admin("reset", "POST")
        assert server.stats()["requests"] == 0 and server.requests() == []
        assert s3.head_object(Bucket="b0b", Key="k")["ContentLength"] == 1000
        server.admin("reset?objects", "POST")
        assert s3.list_buckets()["Buckets"] == []


def test_admin_token():
    with MockServer("--admin-token", "secret") as server:
        for token, status in ((None, 403), ("wrong", 403), ("secret", 200)):
            headers = {"X-Mock-S3": "1"} | ({"X-Mock-Token": token} if token else {})
            try:
                with server.call("/_mock/reset", "POST", headers) as response:
                    assert response.status == status
            except urllib.error.HTTPError as error:
                assert error.code == status


def test_access_log(tmp_path):
    log = tmp_path / "access.log"
    with MockServer("--access-log", str(log)) as server:
        Boto3(server.url, tmp_path).s3.put_object(Bucket="b0b", Key="some key", Body=b"x")
    lines = log.read_text().splitlines()
    assert len(lines) == 1 and "PutObject" in lines[0] and "200" in lines[0]


def test_memory_stays_small_under_parallel_uploads():
    """16 uploads of 128 MiB at once: 2 GiB pass, and none of it stays."""
    size = 128 * MIB
    block = bytes(MIB)
    with MockServer() as server:

        def upload(i):
            with socket.create_connection(("127.0.0.1", server.port), 60) as connection:
                head = f"PUT /b0b/{i} HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n"
                connection.sendall(head.encode())
                for _ in range(size // len(block)):
                    connection.sendall(block)
                answers[i] = connection.recv(4096)

        answers = [b""] * 16
        threads = [threading.Thread(target=upload, args=(i,)) for i in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(answer.startswith(b"HTTP/1.1 200") for answer in answers)
        stats = server.stats()
        assert stats["bytes_in"] == 16 * size
        assert stats["process"]["peak_rss_bytes"] < 64 * MIB


def test_no_descriptor_is_lost():
    with MockServer() as server:
        before = server.stats()["process"]["open_fds"]
        for _ in range(300):
            server.call("/b0b/k", "PUT", body=b"x").close()
        for _ in range(50):
            time.sleep(0.1)
            now = server.stats()["process"]["open_fds"]
            if now <= before:
                return
        raise AssertionError(f"{before} open files before, {now} after")


def test_any_bytes_are_survived():
    garbage = [
        b"\0" * 5000,
        b"\r\n\r\n\r\n",
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),  # a TLS greeting
        b"GET /b/k HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"PUT /b/k HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET " + b"/" * 200_000 + b" HTTP/1.1\r\n\r\n",
        bytes(range(256)) * 40,
    ]
    with MockServer() as server:
        for data in garbage:
            with socket.create_connection(("127.0.0.1", server.port), 5) as connection:
                try:
                    connection.sendall(data)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
                except ConnectionError:
                    pass
        assert server.admin("health")["status"] == "ok"


def test_curl(server, bucket, ram, source_file):
    """Plain curl: by length, without a length, a part of an object, signed, deleted."""
    url = f"{server.url}/{bucket}/k"
    curl = ["curl", "-sS", "--fail"]
    with server.watch():
        run([*curl, "-T", source_file(MIB), url])
        run([*curl, "-o", ram / "whole", url])
        assert (ram / "whole").stat().st_size == MIB
        run([*curl, "-o", ram / "part", "-r", "1000-1999", url])
        assert (ram / "part").read_bytes() == (ram / "whole").read_bytes()[1000:2000]
        run([*curl, "-X", "DELETE", url])
    with server.watch() as log:
        with open(source_file(MIB), "rb") as body:
            subprocess.run([*curl, "-T", "-", url], stdin=body, check=True, timeout=30)
    assert [(r["framing"], r["bytes_in"]) for r in log] == [("chunked", MIB)]
    with server.watch():
        sign = ["--aws-sigv4", "aws:amz:us-east-1:s3", "--user", "mock-s3:mock-s3"]
        run([*curl, *sign, "-T", source_file(1), url])
        head = run([*curl, "--head", url])
    assert "Content-Length: 1" in head.splitlines()
