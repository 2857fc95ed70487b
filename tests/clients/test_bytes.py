"""What is read back: the same bytes every time, whatever way they are asked for."""

import random

import boto3
import botocore.exceptions
import pytest

MIB = 1 << 20
SIZE = 3 * MIB + 12345


@pytest.fixture
def whole(s3, bucket, source_file):
    s3.upload_file(str(source_file(SIZE)), bucket, "k")
    return s3.get_object(Bucket=bucket, Key="k")["Body"].read()


def test_two_reads_agree(s3, bucket, whole):
    assert len(whole) == SIZE
    assert s3.get_object(Bucket=bucket, Key="k")["Body"].read() == whole


def test_other_keys_have_other_bytes(s3, bucket, whole):
    s3.put_object(Bucket=bucket, Key="other", Body=b"x" * SIZE)
    other = s3.get_object(Bucket=bucket, Key="other")["Body"].read()
    assert len(other) == SIZE and other != whole


def test_every_range_agrees_with_the_whole(s3, bucket, whole):
    draw = random.Random(1)
    ranges = [(0, 0), (SIZE - 1, SIZE - 1), (0, SIZE - 1), (0, 10 * SIZE), (15, 16), (16, 17)]
    ranges += [(256 * 1024 - 1, 256 * 1024), (MIB - 1, MIB + 1)]
    ranges += [sorted(draw.sample(range(SIZE), 2)) for _ in range(40)]
    for first, last in ranges:
        answer = s3.get_object(Bucket=bucket, Key="k", Range=f"bytes={first}-{last}")
        want = whole[first : last + 1]
        assert answer["Body"].read() == want, (first, last)
        end = min(last, SIZE - 1)
        assert answer["ContentRange"] == f"bytes {first}-{end}/{SIZE}"
        assert answer["ContentLength"] == len(want)


@pytest.mark.parametrize("text, start", [("bytes=1000-", 1000), ("bytes=-77", SIZE - 77)])
def test_open_and_suffix_ranges(s3, bucket, whole, text, start):
    assert s3.get_object(Bucket=bucket, Key="k", Range=text)["Body"].read() == whole[start:]


def test_range_behind_the_end(s3, bucket, whole):
    with pytest.raises(botocore.exceptions.ClientError) as error:
        s3.get_object(Bucket=bucket, Key="k", Range=f"bytes={SIZE}-")
    assert error.value.response["Error"]["Code"] == "InvalidRange"
    assert error.value.response["ResponseMetadata"]["HTTPStatusCode"] == 416


def test_parts_agree_with_the_whole(s3, bucket, source_file, ram):
    """download_file reads 20 MiB in ranges, several at a time."""
    s3.upload_file(str(source_file(20 * MIB)), bucket, "big")
    s3.download_file(bucket, "big", str(ram / "big"))
    assert (ram / "big").read_bytes() == s3.get_object(Bucket=bucket, Key="big")["Body"].read()


def test_etag_forms(s3, bucket, source_file):
    """Never an MD5 that the bytes of a later GET would not have."""
    put = s3.put_object(Bucket=bucket, Key="k", Body=b"hello")["ETag"]
    assert put.endswith('-1"') and len(put) == 36
    assert s3.head_object(Bucket=bucket, Key="k")["ETag"] == put
    empty = s3.put_object(Bucket=bucket, Key="empty", Body=b"")["ETag"]
    assert empty == '"d41d8cd98f00b204e9800998ecf8427e"'
    s3.upload_file(str(source_file(20 * MIB)), bucket, "big")
    assert s3.head_object(Bucket=bucket, Key="big")["ETag"].endswith('-3"')


def test_metadata_comes_back(s3, bucket):
    s3.put_object(
        Bucket=bucket,
        Key="k",
        Body=b"x",
        ContentType="text/plain",
        CacheControl="max-age=5",
        ContentEncoding="gzip",
        Metadata={"colour": "green", "empty": ""},
    )
    head = s3.head_object(Bucket=bucket, Key="k")
    assert head["ContentType"] == "text/plain"
    assert head["CacheControl"] == "max-age=5"
    assert head["ContentEncoding"] == "gzip"
    assert head["Metadata"]["colour"] == "green"


def test_conditional_write_happens_once(s3, bucket):
    s3.put_object(Bucket=bucket, Key="k", Body=b"x", IfNoneMatch="*")
    with pytest.raises(botocore.exceptions.ClientError) as error:
        s3.put_object(Bucket=bucket, Key="k", Body=b"x", IfNoneMatch="*")
    assert error.value.response["Error"]["Code"] == "PreconditionFailed"


@pytest.mark.parametrize(
    "call, arguments, code",
    [
        ("get_object", {"Bucket": "no-such-bucket", "Key": "k"}, "NoSuchBucket"),
        ("list_objects_v2", {"Bucket": "no-such-bucket"}, "NoSuchBucket"),
        ("delete_bucket", {"Bucket": "no-such-bucket"}, "NoSuchBucket"),
        ("get_object", {"Bucket": None, "Key": "no such key"}, "NoSuchKey"),
        ("upload_part", {"Bucket": None, "Key": "k", "PartNumber": 1, "UploadId": "x"}, "NoSuchUpload"),
    ],
)
def test_errors_are_those_of_s3(s3, bucket, call, arguments, code):
    arguments["Bucket"] = arguments["Bucket"] or bucket
    with pytest.raises(botocore.exceptions.ClientError) as error:
        getattr(s3, call)(**arguments)
    assert error.value.response["Error"]["Code"] == code
    assert error.value.response["ResponseMetadata"]["HTTPHeaders"]["x-amz-request-id"]


def test_bucket_with_objects_is_not_deleted(s3, bucket):
    s3.put_object(Bucket=bucket, Key="k")
    with pytest.raises(botocore.exceptions.ClientError) as error:
        s3.delete_bucket(Bucket=bucket)
    assert error.value.response["Error"]["Code"] == "BucketNotEmpty"


def test_resource_interface(server, bucket):
    """boto3's resources use ListObjects V1 and DeleteObjects."""
    s3 = boto3.resource(
        "s3",
        endpoint_url=server.url,
        region_name="us-east-1",
        aws_access_key_id="mock-s3",
        aws_secret_access_key="mock-s3",
    )
    for i in range(5):
        s3.Object(bucket, f"k {i}").put(Body=b"x")
    with server.watch() as log:
        assert [o.key for o in s3.Bucket(bucket).objects.all()] == [f"k {i}" for i in range(5)]
        s3.Bucket(bucket).objects.all().delete()
    assert {r["op"] for r in log} == {"ListObjects", "DeleteObjects"}
    assert list(s3.Bucket(bucket).objects.all()) == []
