"""Browser uploads by POST: forms as boto3 makes them, sent by curl."""

import pytest

from tools import run


def curl_form(url, fields, path, *options):
    argv = ["curl", "--silent", "--show-error", "--output", "-", "--write-out", "\n%{http_code}"]
    for name, value in fields.items():
        argv += ["--form-string", f"{name}={value}"]
    text = run([*argv, "--form", f"file=@{path}", *options, url])
    body, status = text.rsplit("\n", 1)
    return int(status), body


def test_presigned_post(s3, bucket, source_file):
    size = 5 * 1024 * 1024 + 1
    post = s3.generate_presigned_post(
        bucket,
        "form/${filename}",
        Fields={"x-amz-meta-from": "form"},
        Conditions=[{"x-amz-meta-from": "form"}, ["content-length-range", 1, size]],
        ExpiresIn=60,
    )
    path = source_file(size)
    assert curl_form(post["url"], post["fields"], path) == (204, "")
    head = s3.head_object(Bucket=bucket, Key=f"form/{path.name}")
    assert head["ContentLength"] == size
    assert head["Metadata"] == {"from": "form"}


@pytest.mark.parametrize(
    "change, code",
    [({"key": "other"}, "AccessDenied"), ({"x-amz-meta-more": "1"}, "AccessDenied")],
    ids=["wrong key", "field without a condition"],
)
def test_policy_is_enforced(s3, bucket, source_file, change, code):
    post = s3.generate_presigned_post(bucket, "form/1")
    status, body = curl_form(post["url"], post["fields"] | change, source_file(1))
    assert status == 403
    assert f"<Code>{code}</Code>" in body


def test_size_limit(s3, bucket, source_file):
    post = s3.generate_presigned_post(bucket, "k", Conditions=[["content-length-range", 0, 10]])
    status, body = curl_form(post["url"], post["fields"], source_file(11))
    assert status == 400
    assert "<Code>EntityTooLarge</Code>" in body


def test_chunked_form(s3, bucket, source_file):
    post = s3.generate_presigned_post(bucket, "k")
    chunked = ("--header", "Transfer-Encoding: chunked")
    assert curl_form(post["url"], post["fields"], source_file(100_000), *chunked) == (204, "")
    assert s3.head_object(Bucket=bucket, Key="k")["ContentLength"] == 100_000
