"""A mock-s3 process, and what its /_mock/ pages say about the requests it got."""

import contextlib
import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN_DIR = Path(os.environ.get("MOCK_S3_BIN_DIR", ROOT / "build/release/bin")).resolve()


def program(name):
    path = BIN_DIR / name
    assert path.is_file(), f"{path} is missing: build it, or set MOCK_S3_BIN_DIR"
    return str(path)


def clean_environment(**more):
    """The environment of the tests without what would change a program's or a tool's settings."""
    prefixes = ("MOCK_S3_", "AWS_", "S3_", "RCLONE_", "PYTHON")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(prefixes)}
    return kept | {"LC_ALL": "C.UTF-8"} | more


class MockServer:
    """Use it in a `with`: it ends with SIGTERM, and must give exit status 0."""

    check_status = True

    def __init__(self, *arguments, **environment):
        self.arguments = arguments
        self.environment = environment
        self.lines = []

    def __enter__(self):
        self.process = subprocess.Popen(
            [program("mock-s3"), "--port", "0", *self.arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=clean_environment(**self.environment),
        )
        self._url = None
        self._ready = threading.Event()
        self._reader = threading.Thread(target=self._read_output, daemon=True)
        self._reader.start()
        self._ready.wait(20)
        if self._url is None:
            self.process.kill()
            raise AssertionError("mock-s3 did not say where it listens:\n" + self.output())
        return self

    def __exit__(self, kind, value, traceback):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("mock-s3 did not end on SIGTERM:\n" + self.output()) from value
        self._reader.join(5)
        self.process.stdout.close()
        if kind is None and self.check_status:
            assert status == 0, f"mock-s3 ended with {status}:\n{self.output()}"

    def _read_output(self):
        for line in self.process.stdout:
            self.lines.append(line)
            found = re.search(r"http://(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)", line)
            if found and self._url is None:
                self._url = f"http://127.0.0.1:{found[1]}"
                self._ready.set()
        self._ready.set()

    def output(self):
        return "".join(self.lines)

    @property
    def url(self):
        return self._url

    @property
    def port(self):
        return int(self.url.rsplit(":", 1)[1])

    @property
    def pid(self):
        return self.process.pid

    def call(self, path, method="GET", headers=None, body=None):
        """A plain HTTP request: the open response. Raises urllib.error.HTTPError."""
        request = urllib.request.Request(
            self.url + path, data=body, method=method, headers=headers or {}
        )
        return urllib.request.urlopen(request, timeout=20)

    def admin(self, path, method="GET"):
        with self.call(f"/_mock/{path}", method, {"X-Mock-S3": "1"}) as response:
            return json.load(response)

    def stats(self):
        return self.admin("stats")

    def requests(self, since_ns=0):
        """The requests since a time of the server's clock, once none is added any more: the
        server notes a request after the client has seen the last byte of the answer."""
        path = f"requests?limit=1000000&since_ns={since_ns}"
        before = None
        while True:
            now = self.admin(path)["requests"]
            if before is not None and len(now) == before:
                return now
            before = len(now)
            time.sleep(0.03)

    @contextlib.contextmanager
    def watch(self, allowed=()):
        """Gives a list that holds, after the block, the requests made in it. They must have gone
        well at the first try; `allowed` names (status, op) pairs that may be there as well."""
        since = self.admin("requests?limit=0")["now_ns"]
        log = []
        yield log
        log.extend(self.requests(since))
        problems = faults(log, allowed)
        assert not problems, "\n".join(problems)


def describe(request):
    text = "{op} {bucket}/{key} part {part_number} {range}: {status} {error}".format(**request)
    return text if request["completed"] else text + " (cut short)"


def faults(log, allowed=()):
    """What went wrong in a request log: failures, cut transfers, and transfers made twice."""
    # A client asks whether a key is there before it writes or after it deleted it.
    expected = {(404, "HeadObject"), *allowed}
    found = [
        "failed: " + describe(r)
        for r in log
        if (r["status"] >= 400 and (r["status"], r["op"]) not in expected) or not r["completed"]
    ]
    seen = set()
    for r in log:
        if r["op"] not in ("PutObject", "UploadPart", "GetObject", "CompleteMultipartUpload"):
            continue
        same = (r["op"], r["bucket"], r["key"], r["upload_id"], r["part_number"], r["range"])
        if same in seen:
            found.append("made twice: " + describe(r))
        seen.add(same)
    return found


def count(log, op):
    return sum(r["op"] == op for r in log)
