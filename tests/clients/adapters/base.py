"""What the compatibility tests know of a client: the calls, as far as it has them.

    make_bucket(bucket)                     list_buckets() -> names
    remove_bucket(bucket)
    put(bucket, key, path)                  get(bucket, key, path)
    put_multipart(bucket, key, path)        get_range(bucket, key, first, last, path)
    list(bucket) -> {key: size}             copy(bucket, source, target)
    delete_many(bucket, keys)
    put_metadata(bucket, key, path, metadata)   get_metadata(bucket, key) -> metadata
    put_tags(bucket, key, tags)             get_tags(bucket, key) -> tags
    put_new(bucket, key, path) -> whether it was written, and not there before
    presign(bucket, key) -> URL             fetch(url)

A call that fails raises ClientFailed. `last` of a range belongs to it.
"""

import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from mock_server import ROOT, clean_environment
from tools import ACCESS

TOOLS_DIR = ROOT / "build/tools"
BASE_PYTHON = Path(sys.executable)
CLIENTS_PYTHON = TOOLS_DIR / "clients-venv/bin/python"


class ClientFailed(AssertionError):
    pass


class Adapter:
    """One client with one of its settings, as processes that end before `deadline`, a time of
    time.monotonic()."""

    name = ""
    # What a setting's name stands for: the meaning is the adapter's.
    settings = {"default": ()}
    # The operations (see compatibility.py) that the client does not have.
    lacks = frozenset()
    # Settings with the only operations that are tested in them.
    limits = {}

    def __init__(self, url, setting, home, deadline):
        self.url = url
        self.setting = self.settings[setting]
        self.home = home
        self.deadline = deadline
        self.env = clean_environment(HOME=str(home), AWS_ENDPOINT_URL=url, **ACCESS)

    @classmethod
    def program(cls):
        """The program and its first arguments. A program that is missing is not installed."""
        raise NotImplementedError

    @classmethod
    def is_installed(cls):
        return all(shutil.which(a) for a in map(str, cls.program()[:1])) and all(
            Path(a).exists() for a in map(str, cls.program()[1:]) if a.startswith("/")
        )

    @classmethod
    @functools.cache
    def version(cls):
        """A short text, such as "2.3.0"."""
        output = run([*cls.program(), "--version"], clean_environment(), time.monotonic() + 60)
        return re.search(r"\d+\.\d+(\.\d+)*", output)[0]

    def __call__(self, *arguments):
        return run([*self.program(), *arguments], self.env, self.deadline)

    def put_multipart(self, bucket, key, path):
        self.put(bucket, key, path)

    def fetch(self, url):
        run(["curl", "-sS", "--fail", "-o", self.home / "got", url], self.env, self.deadline)


def run(argv, env, deadline):
    """The standard output of a program, which must end with 0 in time."""
    argv = [str(a) for a in argv]
    with subprocess.Popen(
        argv,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that what it starts ends with it
    ) as process:
        try:
            output, errors = process.communicate(timeout=max(deadline - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            raise ClientFailed(f"did not end in time\n{argv}\n{output}\n{errors}") from None
    if process.returncode != 0:
        text = f"{output[-2000:]}\n{errors[-4000:]}".strip()
        # What tells most is the last line of what a program says.
        gist = text.splitlines()[-1] if text else "it says nothing"
        raise ClientFailed(f"{gist}\nexit status {process.returncode}\n{argv}\n{text}")
    return output


class Program(Adapter):
    """A client library behind a program of ours, which takes the name of a call and its arguments
    as a JSON list, and prints the result as JSON."""

    def __call__(self, call, *arguments):
        self.env["S3_CLIENT_SETTING"] = self.setting
        output = super().__call__(call, json.dumps(arguments, default=str))
        return json.loads(output) if output else None

    @classmethod
    @functools.cache
    def version(cls):
        call = [*cls.program(), "version", "[]"]
        return json.loads(run(call, clean_environment(), time.monotonic() + 60))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return functools.partial(self, name)

    def put_multipart(self, *arguments):
        return self("put_multipart", *arguments)


class PythonProgram(Program):
    python = CLIENTS_PYTHON
    script = ""

    @classmethod
    def program(cls):
        return [cls.python, str(Path(__file__).parents[1] / "programs" / cls.script)]
