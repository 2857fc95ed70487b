"""aws-cli, s5cmd, rclone and boto3 behind one set of calls, each with its default settings."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import boto3

from mock_server import clean_environment

ACCESS = {
    "AWS_ACCESS_KEY_ID": "mock-s3",
    "AWS_SECRET_ACCESS_KEY": "mock-s3",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",  # boto3 and aws-cli 1 look at this one only
}


class ToolFailed(AssertionError):
    pass


def run(argv, env=None, **more):
    """Runs a program, which must end with 0 and say nothing on its standard error."""
    done = subprocess.run(
        [str(a) for a in argv],
        env=env if env is not None else clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
        **more,
    )
    if done.returncode != 0 or done.stderr != "":
        output = f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
        raise ToolFailed(f"{argv}\nexit status {done.returncode}\n{output}")
    return done.stdout


class CommandLineTool:
    program = ""
    # (status, op) of failed requests that reading an empty object makes
    on_empty = frozenset()

    def __init__(self, url, home):
        self.path = shutil.which(self.program)
        assert self.path, f"{self.program} is not on PATH: run script/bootstrap"
        self.env = clean_environment(HOME=str(home), AWS_ENDPOINT_URL=url, **ACCESS)

    def __call__(self, *arguments):
        return run([self.path, *arguments], self.env)


class AwsCli(CommandLineTool):
    name = program = "aws"
    list_op = "ListObjectsV2"

    def make_bucket(self, bucket):
        self("s3", "mb", f"s3://{bucket}")

    def remove_bucket(self, bucket):
        self("s3", "rb", f"s3://{bucket}")

    def upload(self, path, bucket, key):
        self("s3", "cp", path, f"s3://{bucket}/{key}")

    def download(self, bucket, key, path):
        self("s3", "cp", f"s3://{bucket}/{key}", path)

    def list(self, bucket, prefix=""):
        text = self("s3", "ls", "--recursive", f"s3://{bucket}/{prefix}")
        # date, time, size right-aligned, key
        rows = [line.split(maxsplit=2)[2] for line in text.splitlines()]
        return {row.split(" ", 1)[1]: int(row.split(" ", 1)[0]) for row in rows}

    def sync_up(self, directory, bucket, prefix):
        self("s3", "sync", directory, f"s3://{bucket}/{prefix}")

    def sync_down(self, bucket, prefix, directory):
        self("s3", "sync", f"s3://{bucket}/{prefix}", directory)

    def copy(self, bucket, source, target):
        self("s3", "cp", f"s3://{bucket}/{source}", f"s3://{bucket}/{target}")

    def move(self, bucket, source, target):
        self("s3", "mv", f"s3://{bucket}/{source}", f"s3://{bucket}/{target}")

    def presign(self, bucket, key):
        return self("s3", "presign", f"s3://{bucket}/{key}").strip()

    def remove(self, bucket, key):
        self("s3", "rm", f"s3://{bucket}/{key}")

    def remove_all(self, bucket):
        self("s3", "rm", "--recursive", f"s3://{bucket}")


class S5cmd(CommandLineTool):
    name = program = "s5cmd"
    list_op = "ListObjectsV2"
    on_empty = frozenset({(416, "GetObject")})  # it asks for bytes=0-52428799 of any object

    def __init__(self, url, home):
        super().__init__(url, home)
        self.env["S3_ENDPOINT_URL"] = url

    def make_bucket(self, bucket):
        self("mb", f"s3://{bucket}")

    def remove_bucket(self, bucket):
        self("rb", f"s3://{bucket}")

    # --raw: a `*` or `?` in a key is that character
    def upload(self, path, bucket, key):
        self("cp", "--raw", path, f"s3://{bucket}/{key}")

    def download(self, bucket, key, path):
        self("cp", "--raw", f"s3://{bucket}/{key}", path)

    def list(self, bucket, prefix=""):
        # A pattern makes it list all depths, and fail where nothing matches.
        try:
            text = self("--json", "ls", f"s3://{bucket}/{prefix}*")
        except ToolFailed as failure:
            if "no object found" not in str(failure):
                raise
            return {}
        rows = [json.loads(line) for line in text.splitlines()]
        start = f"s3://{bucket}/"
        return {row["key"].removeprefix(start): row.get("size", 0) for row in rows}

    def sync_up(self, directory, bucket, prefix):
        self("sync", f"{directory}/", f"s3://{bucket}/{prefix}/")

    def sync_down(self, bucket, prefix, directory):
        self("sync", f"s3://{bucket}/{prefix}/*", f"{directory}/")

    def copy(self, bucket, source, target):
        self("cp", f"s3://{bucket}/{source}", f"s3://{bucket}/{target}")

    def move(self, bucket, source, target):
        self("mv", f"s3://{bucket}/{source}", f"s3://{bucket}/{target}")

    def presign(self, bucket, key):
        return self("presign", f"s3://{bucket}/{key}").strip()

    def remove(self, bucket, key):
        self("rm", "--raw", f"s3://{bucket}/{key}")

    def remove_all(self, bucket):
        self("rm", f"s3://{bucket}/*")


class Rclone(CommandLineTool):
    name = program = "rclone"
    list_op = "ListObjects"

    def __init__(self, url, home):
        super().__init__(url, home)
        # The remote "mock:", with no configuration file.
        self.env |= {
            "RCLONE_CONFIG": "",
            "RCLONE_CONFIG_MOCK_TYPE": "s3",
            "RCLONE_CONFIG_MOCK_PROVIDER": "Other",
            "RCLONE_CONFIG_MOCK_ENV_AUTH": "true",
            "RCLONE_CONFIG_MOCK_ENDPOINT": url,
        }

    def make_bucket(self, bucket):
        self("mkdir", f"mock:{bucket}")

    def remove_bucket(self, bucket):
        self("rmdir", f"mock:{bucket}")

    def upload(self, path, bucket, key):
        self("copyto", path, f"mock:{bucket}/{key}")

    def download(self, bucket, key, path):
        self("copyto", f"mock:{bucket}/{key}", path)

    def list(self, bucket, prefix=""):
        text = self("lsjson", "--recursive", "--files-only", f"mock:{bucket}/{prefix}")
        start = f"{prefix.rstrip('/')}/" if prefix else ""
        return {start + row["Path"]: row["Size"] for row in json.loads(text)}

    def sync_up(self, directory, bucket, prefix):
        self("sync", directory, f"mock:{bucket}/{prefix}")

    def sync_down(self, bucket, prefix, directory):
        self("sync", f"mock:{bucket}/{prefix}", directory)

    def copy(self, bucket, source, target):
        self("copyto", f"mock:{bucket}/{source}", f"mock:{bucket}/{target}")

    def move(self, bucket, source, target):
        self("moveto", f"mock:{bucket}/{source}", f"mock:{bucket}/{target}")

    def presign(self, bucket, key):
        return self("link", "--expire", "1h", f"mock:{bucket}/{key}").strip()

    def remove(self, bucket, key):
        self("deletefile", f"mock:{bucket}/{key}")

    def remove_all(self, bucket):
        self("delete", f"mock:{bucket}")


class Boto3:
    name = "boto3"
    list_op = "ListObjectsV2"
    on_empty = frozenset()

    def __init__(self, url, home):
        session = boto3.session.Session(
            aws_access_key_id=ACCESS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=ACCESS["AWS_SECRET_ACCESS_KEY"],
            region_name=ACCESS["AWS_REGION"],
        )
        self.s3 = session.client("s3", endpoint_url=url)

    def make_bucket(self, bucket):
        self.s3.create_bucket(Bucket=bucket)

    def remove_bucket(self, bucket):
        self.s3.delete_bucket(Bucket=bucket)

    def upload(self, path, bucket, key):
        self.s3.upload_file(str(path), bucket, key)

    def download(self, bucket, key, path):
        self.s3.download_file(bucket, key, str(path))

    def list(self, bucket, prefix=""):
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        return {row["Key"]: row["Size"] for page in pages for row in page.get("Contents", [])}

    def copy(self, bucket, source, target):
        self.s3.copy({"Bucket": bucket, "Key": source}, bucket, target)

    def move(self, bucket, source, target):
        self.copy(bucket, source, target)
        self.remove(bucket, source)

    def presign(self, bucket, key):
        return self.s3.generate_presigned_url("get_object", {"Bucket": bucket, "Key": key})

    def remove(self, bucket, key):
        self.s3.delete_object(Bucket=bucket, Key=key)

    def remove_all(self, bucket):
        objects = [{"Key": key} for key in self.list(bucket)]
        answer = self.s3.delete_objects(Bucket=bucket, Delete={"Objects": objects})
        assert len(answer["Deleted"]) == len(objects) and "Errors" not in answer


COMMAND_LINE_TOOLS = [AwsCli, S5cmd, Rclone]
TOOLS = [*COMMAND_LINE_TOOLS, Boto3]


def write_file(path: Path, size: int) -> Path:
    """A file that is neither compressible nor sparse."""
    path.parent.mkdir(parents=True, exist_ok=True)
    block = os.urandom(min(size, 1 << 20))
    with open(path, "wb") as file:
        while size > 0:
            size -= file.write(block[:size])
    return path
