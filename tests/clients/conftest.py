import itertools
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from compatibility import Notes
from mock_server import MockServer, describe
from tools import TOOLS, Boto3, write_file

# The tools of the environment that the tests run in come before those of the system.
os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

_numbers = itertools.count(1)


def pytest_addoption(parser):
    text = "run the compatibility tests in full, and write what came out to this file"
    parser.addoption("--compatibility", metavar="FILE", type=Path, help=text)


def pytest_configure(config):
    if path := config.getoption("compatibility"):
        config.pluginmanager.register(Notes(path))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Shows the server's failed requests under a failed test."""
    report = (yield).get_result()
    server = getattr(item, "funcargs", {}).get("server")
    if report.when == "call" and report.failed and server is not None:
        try:
            errors = server.admin("requests?errors&limit=20")["requests"]
            text = "\n".join(map(describe, errors)) or "none"
        except OSError as error:
            text = f"the server does not answer: {error}\n{server.output()[-3000:]}"
        report.sections.append(("failed requests, as the server saw them", text))


@pytest.fixture(scope="session")
def server():
    """One server for all tests that start none of their own."""
    with MockServer() as server:
        yield server


@pytest.fixture
def bucket(server):
    """The name of a bucket that is there and empty, of this test alone."""
    name = f"test-{next(_numbers)}"
    server.call(f"/{name}", "PUT").close()
    return name


@pytest.fixture
def free_bucket_name():
    return f"test-{next(_numbers)}"


@pytest.fixture(params=TOOLS, ids=lambda tool: tool.name)
def tool(request, server, tmp_path):
    return request.param(server.url, tmp_path)


@pytest.fixture
def s3(server, tmp_path):
    """A boto3 client."""
    return Boto3(server.url, tmp_path).s3


@pytest.fixture
def ram():
    """A directory in memory, gone after the test."""
    base = "/dev/shm" if Path("/dev/shm").is_dir() else None
    directory = Path(tempfile.mkdtemp(prefix="mock-s3-test-", dir=base))
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def source_file(tmp_path_factory):
    """A function from a size to a file of that size, made once."""
    directory = tmp_path_factory.mktemp("sources")

    def get(size):
        path = directory / str(size)
        return path if path.exists() else write_file(path, size)

    return get
