"""Faults that other S3 servers had, as clients meet them. The letter and number of each is that of
its tests over raw sockets, tests/protocol/faults_*_test.cpp."""

import pytest

from mock_server import count
from tools import AwsCli, Boto3, S5cmd, run, write_file

ODD_KEYS = [
    "a b",
    "a+b",
    "a%b",
    "a%2Bb",
    "q?x#y",
    "日本",
    "R&D <1>\"'.txt",
    "!*'();:@&=$,[]~",
]


def test_faults_C1_odd_keys_side_by_side(tool, server, bucket, source_file, ram, s3):
    """Each is an object of its own, where a wrong decoding would hit another."""
    keys = {key: 100 + i for i, key in enumerate(ODD_KEYS)}
    with server.watch():
        for key, size in keys.items():
            tool.upload(source_file(size), bucket, key)
    assert tool.list(bucket) == keys
    with server.watch():
        for key, size in keys.items():
            tool.download(bucket, key, ram / str(size))
    for key, size in keys.items():
        want = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
        assert len(want) == size and (ram / str(size)).read_bytes() == want
    for key in list(keys):
        tool.remove(bucket, key)
        del keys[key]
        left = s3.list_objects_v2(Bucket=bucket).get("Contents", [])
        assert {row["Key"]: row["Size"] for row in left} == keys


@pytest.mark.parametrize("tool", [AwsCli, S5cmd, Boto3], ids=lambda t: t.name, indirect=True)
def test_faults_C1_key_with_dots(tool, server, bucket, source_file):
    """Nothing is normalised: these are three objects. rclone normalises paths itself."""
    keys = {"x/../y": 10, "y": 20, "x/./y": 30}
    for key, size in keys.items():
        tool.upload(source_file(size), bucket, key)
    assert tool.list(bucket) == keys


def test_faults_C6_presigned_url(tool, server, bucket, s3, ram):
    key = "dir/with space+plus"
    s3.put_object(Bucket=bucket, Key=key, Body=b"x" * 70_000)
    url = tool.presign(bucket, key)
    assert f":{server.port}/" in url
    with server.watch():
        run(["curl", "-sS", "--fail", "--output", ram / "got", url])
    want = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
    assert (ram / "got").read_bytes() == want


def test_faults_B9_many_workers_in_one_bucket(server, bucket, s3, ram):
    """256 workers mix cp, ls and rm."""
    s5cmd = S5cmd(server.url, ram)
    file = write_file(ram / "file", 1000)
    # s5cmd takes an empty listing for a failure: one key is there from the start.
    commands = [f"cp {file} s3://{bucket}/kept/first"]
    commands += [f"cp {file} s3://{bucket}/gone/{i}" for i in range(150)]
    (ram / "before").write_text("\n".join(commands))
    s5cmd("--numworkers", "256", "run", ram / "before")
    commands = []
    for i in range(150):
        commands.append(f"cp {file} s3://{bucket}/kept/{i}")
        commands.append(f"rm s3://{bucket}/gone/{i}")
        commands.append(f"cp {file} s3://{bucket}/kept/again-{i}")
        commands.append(f"ls s3://{bucket}/kept*")
    (ram / "mixed").write_text("\n".join(commands))
    with server.watch() as log:
        s5cmd("--numworkers", "256", "run", ram / "mixed")
    assert count(log, "PutObject") == 300
    assert count(log, "ListObjectsV2") >= 150
    kept = {"kept/first"} | {f"kept/{i}" for i in range(150)} | {f"kept/again-{i}" for i in range(150)}
    assert s5cmd.list(bucket) == dict.fromkeys(kept, 1000)
