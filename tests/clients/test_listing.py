"""More keys than a page holds, with each tool."""

import pytest

from mock_server import MockServer, count
from tools import TOOLS, AwsCli, Boto3

KEYS = {f"k{i:04}": 1024 for i in range(2500)}


@pytest.fixture(scope="module")
def server():
    with MockServer("--preload", "many/k{0000..2499}:1KiB") as server:
        yield server


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name, indirect=True)
def test_every_key_once_over_pages(tool, server):
    with server.watch() as log:
        assert tool.list("many") == KEYS
    assert count(log, tool.list_op) == 3


def test_pages_of_any_size(server, tmp_path):
    s3 = Boto3(server.url, tmp_path).s3
    for call in ("list_objects", "list_objects_v2"):
        for size in (1000, 999, 7):
            pages = s3.get_paginator(call).paginate(
                Bucket="many", PaginationConfig={"PageSize": size}
            )
            names = [row["Key"] for page in pages for row in page["Contents"]]
            assert names == list(KEYS), f"{call} by {size}"


def test_delete_while_paging(server, tmp_path):
    s3 = Boto3(server.url, tmp_path).s3
    for i in range(30):
        s3.put_object(Bucket="shrinking", Key=f"{i:02}")
    seen = []
    for page in s3.get_paginator("list_objects_v2").paginate(
        Bucket="shrinking", PaginationConfig={"PageSize": 7}
    ):
        for row in page["Contents"]:
            seen.append(row["Key"])
            s3.delete_object(Bucket="shrinking", Key=row["Key"])
    assert seen == [f"{i:02}" for i in range(30)]


def test_folders(server, tmp_path):
    s3 = Boto3(server.url, tmp_path).s3
    for key in ("d/1", "d/2", "d/3", "e", "f/1"):
        s3.put_object(Bucket="folders", Key=key)
    for call in ("list_objects", "list_objects_v2"):
        pages = list(
            s3.get_paginator(call).paginate(
                Bucket="folders", Delimiter="/", PaginationConfig={"PageSize": 1}
            )
        )
        assert len(pages) == 3 and not pages[-1]["IsTruncated"], call
        names = [
            row.get("Prefix") or row["Key"]
            for page in pages
            for row in page.get("CommonPrefixes", []) + page.get("Contents", [])
        ]
        assert names == ["d/", "e", "f/"], call


def test_aws_shows_folders(server, tmp_path):
    aws = AwsCli(server.url, tmp_path)
    Boto3(server.url, tmp_path).s3.put_object(Bucket="tree", Key="dir/k", Body=b"12345")
    assert aws("s3", "ls", "s3://tree").split() == ["PRE", "dir/"]
    assert aws("s3", "ls", "s3://tree/dir/").split()[2:] == ["5", "k"]
