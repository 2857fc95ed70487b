"""What people do with an S3 tool, with each of them, in its default settings."""

import pytest

from mock_server import count
from tools import COMMAND_LINE_TOOLS, AwsCli, write_file

MIB = 1 << 20
SIZES = [0, 1, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, 100 * MIB]


@pytest.mark.parametrize("size", SIZES)
def test_up_and_down(tool, server, bucket, source_file, ram, size):
    target = ram / "down"
    with server.watch():
        tool.upload(source_file(size), bucket, "dir/file")
    with server.watch(tool.on_empty if size == 0 else ()) as log:
        assert tool.list(bucket) == {"dir/file": size}
        tool.download(bucket, "dir/file", target)
    assert target.stat().st_size == size
    assert sum(r["bytes_out"] for r in log if r["status"] < 300 and r["op"] == "GetObject") == size


def test_bucket_life(tool, server, free_bucket_name, source_file):
    name = free_bucket_name
    with server.watch():
        tool.make_bucket(name)
        assert tool.list(name) == {}
        tool.upload(source_file(1), name, "k")
        tool.remove(name, "k")
        assert tool.list(name) == {}
        tool.remove_bucket(name)
    with server.call("/") as response:
        assert f"<Name>{name}</Name>" not in response.read().decode()


def test_remove_all(tool, server, bucket, s3):
    for key in ("a", "b/c", "b/d/e", "b/d/f g"):
        s3.put_object(Bucket=bucket, Key=key, Body=b"x")
    with server.watch():
        tool.remove_all(bucket)
        assert tool.list(bucket) == {}


def test_copy_and_move(tool, server, bucket, source_file):
    size = 9 * MIB  # aws-cli and boto3 copy this one by parts
    tool.upload(source_file(size), bucket, "one")
    with server.watch() as log:
        tool.copy(bucket, "one", "two")
        tool.move(bucket, "two", "sub/three")
        assert tool.list(bucket) == {"one": size, "sub/three": size}
    assert count(log, "GetObject") == 0, "the copy went through the client"


@pytest.mark.parametrize("tool", COMMAND_LINE_TOOLS, ids=lambda t: t.name, indirect=True)
def test_sync_both_ways(tool, server, bucket, ram):
    files = {"a": 0, "b": 1, "sub/c": 70_000, "sub/deeper/d e": 6 * MIB}
    for name, size in files.items():
        write_file(ram / "up" / name, size)
    with server.watch() as log:
        tool.sync_up(ram / "up", bucket, "tree")
    assert tool.list(bucket, "tree/") == {f"tree/{name}": size for name, size in files.items()}
    with server.watch() as log:
        tool.sync_up(ram / "up", bucket, "tree")
    assert {r["method"] for r in log} <= {"GET", "HEAD"}, "the second sync up wrote again"

    (ram / "down").mkdir()
    with server.watch(tool.on_empty):
        tool.sync_down(bucket, "tree", ram / "down")
    got = {str(p.relative_to(ram / "down")): p for p in (ram / "down").rglob("*") if p.is_file()}
    assert {name: path.stat().st_size for name, path in got.items()} == files
    with server.watch() as log:
        tool.sync_down(bucket, "tree", ram / "down")
    assert count(log, "GetObject") == 0, "the second sync down read again"


def test_multipart_is_used(tool, server, bucket, source_file, ram):
    """Above 8 MiB aws-cli and boto3 go by parts of that size, s5cmd by 50 MiB."""
    parts = {"aws": 13, "boto3": 13, "s5cmd": 2, "rclone": 0}[tool.name]
    with server.watch() as log:
        tool.upload(source_file(100 * MIB), bucket, "k")
    uploads = [r for r in log if r["op"] == "UploadPart"]
    assert sorted(r["part_number"] for r in uploads) == list(range(1, parts + 1))
    assert count(log, "CreateMultipartUpload") == count(log, "CompleteMultipartUpload")
    assert count(log, "CompleteMultipartUpload") == (1 if parts else 0)
    assert sum(r["bytes_in"] for r in log if r["op"] in ("UploadPart", "PutObject")) == 100 * MIB
    with server.watch() as log:
        tool.download(bucket, "k", ram / "down")
    gets = [r for r in log if r["op"] == "GetObject"]
    assert len(gets) == max(parts, 1)
    assert all(r["status"] == 206 for r in gets) or len(gets) == 1


def test_empty_files_among_others_on_one_connection(server, bucket, ram):
    """aws-cli asks for a 100 before an empty file too; where the final answer comes instead, it
    takes that for the answer to its next file, and waits a minute for the rest."""
    aws = AwsCli(server.url, ram)
    (ram / "config").write_text("[default]\ns3 =\n  max_concurrent_requests = 1\n")
    aws.env["AWS_CONFIG_FILE"] = str(ram / "config")
    for i, size in enumerate((0, 1000, 0, 0, 70_000)):
        write_file(ram / "up" / str(i), size)
    with server.watch() as log:
        aws.sync_up(ram / "up", bucket, "")
    assert count(log, "PutObject") == 5
    assert len({r["connection"] for r in log}) == 1
