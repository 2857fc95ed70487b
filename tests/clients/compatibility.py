"""The compatibility matrix: its operations, what is known to fail, and the notes of a run."""

import datetime
import json
import platform
import subprocess
from typing import NamedTuple

from mock_server import program

# In the order of the page's columns.
OPERATIONS = {
    "bucket": "make, list and remove a bucket",
    "0 B": "put and get of an empty object",
    "1 B": "put and get of one byte",
    "5 MiB": "put and get of 5 MiB, and of one byte less and more",
    "100 MiB": "put and get of 100 MiB",
    "multipart": "put of 20 MiB in the way that the client has for large files; what it sent",
    "range": "get of ranges: the first byte, the last one, some in between",
    "list": "list of 2,500 keys with odd names",
    "odd keys": "put and get of such keys",
    "copy": "copy within a bucket",
    "delete many": "delete of many keys with odd names in one call",
    "metadata": "metadata set and read back",
    "tags": "tags set and read back",
    "conditional put": "put with `If-None-Match: *`, where the key is new and where it is not",
    "presign": "a URL made by the client, fetched without it",
    "503 on put": "a put whose first two requests are answered 503 SlowDown",
    "503 on get": "a get whose first two requests are answered 503 SlowDown",
    "reset in get": "a get whose connection is reset in the middle of the body",
}

# Those that the tests without --compatibility leave out: they take long, and test_tools.py has the
# first two for most of the tools that are always there.
LONG = {"100 MiB", "odd keys", "multipart", "503 on put", "503 on get", "reset in get"}

# Those that no setting changes anything about: they are tested with each client's default only.
SAME_IN_ALL_SETTINGS = {
    "bucket",
    "list",
    "odd keys",
    "tags",
    "presign",
    "503 on put",
    "503 on get",
}


class Known(NamedTuple):
    """A failure that is understood. A client, setting or set of operations that is None is all."""

    client: str | None
    setting: str | None
    operations: set | None
    fault_of: str
    reason: str

    def covers(self, client, setting, operation):
        return (
            self.client in (None, client)
            and self.setting in (None, setting)
            and (self.operations is None or operation in self.operations)
        )


SERVER = "mock-s3's fault"
CLIENT = "the client's fault"
KNOWN = [
    Known(
        "aws-cli 2",
        "CRT transfer client",
        {"1 B"},
        CLIENT,
        "this old one drops the port of the endpoint and connects to port 80",
    ),
    Known(
        "curl",
        "chunked transfer encoding",
        {"0 B"},
        CLIENT,
        "it announces a chunked body for an empty file, and does not send the last chunk",
    ),
    Known(
        "boto3 with awscrt",
        "preferred_transfer_client = crt",
        {"1 B"},
        CLIENT,
        "boto3 makes the CRT client with TLS, also where the endpoint has none",
    ),
]


def known_failure(*case):
    return next((known for known in KNOWN if known.covers(*case)), None)


class Notes:
    """A pytest plugin that writes a file with what came out of each cell."""

    def __init__(self, path):
        self.path = path
        self.cells = {}

    def pytest_runtest_logreport(self, report):
        noted = dict(report.user_properties)
        if "cell" not in noted:
            return
        client, setting, operation = noted["cell"]
        cell = {"client": client, "setting": setting, "operation": operation}
        cell |= {"version": noted.get("version"), "note": noted.get("note", "ok")}
        known = getattr(report, "wasxfail", "")
        if report.failed or (report.skipped and known):
            cell |= {"note": "FAIL", "known": known, "message": message(report)}
        elif report.skipped:
            cell["note"] = "not installed"
        elif report.when != "call":
            return
        self.cells[client, setting, operation] = cell

    def pytest_sessionfinish(self):
        version = subprocess.run([program("mock-s3"), "--version"], capture_output=True, text=True)
        run = {
            "date": datetime.date.today().isoformat(),
            "server": version.stdout.strip(),
            "system": f"{platform.system()} {platform.machine()}",
            "cells": list(self.cells.values()),
        }
        self.path.write_text(json.dumps(run, indent=1, ensure_ascii=False))


def message(report):
    """The first line of what went wrong."""
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash else str(report.longrepr)).strip().splitlines()
    return lines[0].removeprefix("adapters.base.ClientFailed: ") if lines else ""
