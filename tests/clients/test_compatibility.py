"""Every client, with each of its settings, in every operation: the cells of the matrix."""

import functools
import hashlib
import http.client
import itertools
import time
import urllib.parse

import pytest

from adapters import ADAPTERS
from adapters.base import ClientFailed
from compatibility import LONG, OPERATIONS, SAME_IN_ALL_SETTINGS, SERVER, known_failure
from fault_proxy import FaultProxy

KIB, MIB = 1 << 10, 1 << 20
SECONDS = 300  # for one operation of one client

ODD_NAMES = ["a b", "a+b", "a%b", "a%2Bb", "a&b", "日本", "é", "it's", 'say "so"', "(a)=b,c;d@e$f!~"]
METADATA = {"colour": "dark blue", "path": "a/b+c%20d=e&f"}
TAGS = {"team": "storage", "cost centre": "a+b/c=d"}
# What the server says to a request that it does not take; no client here has a reason to get it.
REFUSED = {400, 403, 405, 411, 500, 501, 503}


def pytest_generate_tests(metafunc):
    full = metafunc.config.getoption("compatibility")
    cells = [cell for adapter in ADAPTERS for cell in cells_of(adapter, full)]
    names = [f"{adapter.name}-{setting}-{operation}" for adapter, setting, operation in cells]
    metafunc.parametrize("adapter, setting, operation", cells, ids=names)


def cells_of(adapter, full):
    default = next(iter(adapter.settings))
    for setting, operation in itertools.product(adapter.settings, OPERATIONS):
        short = setting == default and operation not in LONG
        tells = setting == default or operation not in SAME_IN_ALL_SETTINGS
        tells = tells and operation in adapter.limits.get(setting, OPERATIONS)
        if operation not in adapter.lacks and (tells if full else short):
            yield adapter, setting, operation


def test_operation(
    adapter, setting, operation, server, bucket, free_bucket_name, source_file, ram, request
):
    note = request.node.user_properties.append
    note(("cell", (adapter.name, setting, operation)))
    if not adapter.is_installed():
        pytest.skip(f"{adapter.name} is not installed: script/bootstrap --clients does it")
    note(("version", adapter.version()))
    if known := known_failure(adapter.name, setting, operation):
        reason = f"{known.fault_of}: {known.reason}"
        strict = known.fault_of != SERVER
        request.node.add_marker(pytest.mark.xfail(reason=reason, strict=strict))
    case = Case(server, bucket, free_bucket_name, source_file, ram)
    case.connect = lambda url: adapter(url, setting, ram, time.monotonic() + SECONDS)
    since = server.admin("requests?limit=0")["now_ns"]
    note(("note", RUN[operation](case) or "ok"))
    log = server.requests(since)
    assert not [r for r in log if r["status"] in REFUSED and r["op"] != "Admin"]


class Case:
    """What an operation works with."""

    def __init__(self, server, bucket, free_bucket_name, source_file, ram):
        self.server, self.bucket, self.free_bucket_name = server, bucket, free_bucket_name
        self.source_file, self.ram = source_file, ram

    @functools.cached_property
    def client(self):
        return self.connect(self.server.url)

    def stored_size(self, key):
        path = f"/{self.bucket}/{urllib.parse.quote(key)}"
        with self.server.call(path, "HEAD") as response:
            return int(response.headers["Content-Length"])

    def check_bytes(self, key, path):
        """Whether the file is what the server serves."""
        with self.server.call(f"/{self.bucket}/{urllib.parse.quote(key)}") as response:
            want = hashlib.file_digest(response, "blake2b").digest()
        with open(path, "rb") as file:
            assert hashlib.file_digest(file, "blake2b").digest() == want, "other bytes than served"

    def put_and_get(self, key, size):
        self.client.put(self.bucket, key, self.source_file(size))
        assert self.stored_size(key) == size
        target = self.ram / "down"
        self.client.get(self.bucket, key, target)
        assert target.stat().st_size == size
        self.check_bytes(key, target)
        target.unlink()

    def store(self, keys, size=1):
        """Puts objects with plain requests over one connection. A browser shows their type as it
        is, and does not look at the bytes to find out what they are."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        for key in keys:
            path = f"/{self.bucket}/{urllib.parse.quote(key)}"
            connection.request("PUT", path, b"x" * size, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
        connection.close()


def bucket_life(case):
    name = case.free_bucket_name
    case.client.make_bucket(name)
    assert name in case.client.list_buckets()
    case.client.remove_bucket(name)
    with case.server.call("/") as response:
        assert f"<Name>{name}</Name>" not in response.read().decode()


def sizes(*all_sizes):
    def run(case):
        for size in all_sizes:
            case.put_and_get("dir/file", size)

    return run


def multipart(case):
    size = 20 * MIB
    since = case.server.admin("requests?limit=0")["now_ns"]
    case.client.put_multipart(case.bucket, "k", case.source_file(size))
    assert case.stored_size("k") == size
    log = [r for r in case.server.requests(since) if r["status"] < 300]
    parts = [r["part_number"] for r in log if r["op"] == "UploadPart"]
    assert sorted(parts) == list(range(1, len(parts) + 1))
    return f"{len(parts)} parts" if parts else "one PUT"


def ranges(case):
    size = 100 * KIB
    case.store(["k"], size)
    with case.server.call(f"/{case.bucket}/k") as response:
        whole = response.read()
    target = case.ram / "part"
    for first, last in ((0, 0), (size - 1, size - 1), (1000, 70_000)):
        case.client.get_range(case.bucket, "k", first, last, target)
        assert target.read_bytes() == whole[first : last + 1], (first, last)
        target.unlink()


def odd_names(count):
    return [f"dir {i % 7}/{ODD_NAMES[i % len(ODD_NAMES)]}{i:04}" for i in range(count)]


def list_many(case):
    names = odd_names(2500)
    case.store(names)
    assert case.client.list(case.bucket) == dict.fromkeys(names, 1)


def odd_keys(case):
    half = len(ODD_NAMES) // 2
    for i, pair in enumerate(zip(ODD_NAMES[:half], ODD_NAMES[half:])):
        case.put_and_get("dir/" + " ".join(pair), 100 + i)


def copy(case):
    case.store(["dir/one"], 9 * MIB)
    case.client.copy(case.bucket, "dir/one", "dir/two +")
    assert case.stored_size("dir/two +") == 9 * MIB


def delete_many(case):
    names = odd_names(40)
    case.store([*names, "kept"])
    case.client.delete_many(case.bucket, names)
    with case.server.call(f"/{case.bucket}?list-type=2") as response:
        left = response.read().decode()
    assert left.count("<Key>") == 1 and "<Key>kept</Key>" in left


def metadata(case):
    case.client.put_metadata(case.bucket, "k", case.source_file(1000), METADATA)
    found = case.client.get_metadata(case.bucket, "k")
    assert {name: found.get(name) for name in METADATA} == METADATA


def tags(case):
    case.store(["k"])
    case.client.put_tags(case.bucket, "k", TAGS)
    assert case.client.get_tags(case.bucket, "k") == TAGS


def conditional_put(case):
    assert case.client.put_new(case.bucket, "k", case.source_file(1000)) is True
    assert case.client.put_new(case.bucket, "k", case.source_file(1)) is False
    assert case.stored_size("k") == 1000


def presign(case):
    key = "dir/with space+plus"
    case.store([key], 70_000)
    url = case.client.presign(case.bucket, key)
    since = case.server.admin("requests?limit=0")["now_ns"]
    case.client.fetch(url)
    log = [r for r in case.server.requests(since) if r["op"] == "GetObject" and r["key"] == key]
    assert [(r["status"], r["bytes_out"], r["completed"]) for r in log] == [(200, 70_000, True)]


def under_faults(case, call, *arguments, **faults):
    """What a client makes of faults: "recovers", or "error" if it reports a failure."""
    with FaultProxy(case.server.port, **faults) as proxy:
        client = case.connect(proxy.url)
        try:
            getattr(client, call)(case.bucket, "k", *arguments)
        except ClientFailed as failure:
            assert "did not end in time" not in str(failure), "hangs"
            return "error"
        finally:
            assert proxy.faults > 0, "no request met the fault"
    return "recovers"


def slow_down_put(case):
    outcome = under_faults(case, "put", case.source_file(1000), slow_down=2)
    if outcome == "recovers":
        assert case.stored_size("k") == 1000
    return outcome


def get_under_faults(case, size, **faults):
    case.store(["k"], size)
    target = case.ram / "down"
    outcome = under_faults(case, "get", target, **faults)
    if outcome == "recovers":
        assert target.stat().st_size == size, "short, and no error"
        case.check_bytes("k", target)
    return outcome


def slow_down_get(case):
    return get_under_faults(case, 1000, slow_down=2)


def reset_in_get(case):
    return get_under_faults(case, 2 * MIB, cut=1)


RUN = {
    "bucket": bucket_life,
    "0 B": sizes(0),
    "1 B": sizes(1),
    "5 MiB": sizes(5 * MIB - 1, 5 * MIB, 5 * MIB + 1),
    "100 MiB": sizes(100 * MIB),
    "multipart": multipart,
    "range": ranges,
    "list": list_many,
    "odd keys": odd_keys,
    "copy": copy,
    "delete many": delete_many,
    "metadata": metadata,
    "tags": tags,
    "conditional put": conditional_put,
    "presign": presign,
    "503 on put": slow_down_put,
    "503 on get": slow_down_get,
    "reset in get": reset_in_get,
}
assert list(RUN) == list(OPERATIONS)
