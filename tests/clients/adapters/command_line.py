"""The clients that are programs themselves."""

import json
import time
import urllib.parse

from adapters.base import BASE_PYTHON, CLIENTS_PYTHON, Adapter, ClientFailed, run
from compatibility import OPERATIONS
from tools import Boto3


class AwsCli1(Adapter):
    name = "aws-cli 1"
    settings = {
        "default": "",
        "unsigned payload, checksums when required": (
            "request_checksum_calculation = when_required\n"
            "response_checksum_validation = when_required\n"
            "s3 =\n  payload_signing_enabled = false\n"
        ),
    }

    def __init__(self, url, setting, home, deadline):
        super().__init__(url, setting, home, deadline)
        (home / "config").write_text(f"[default]\n{self.setting}")
        self.env["AWS_CONFIG_FILE"] = str(home / "config")

    @classmethod
    def program(cls):
        return [BASE_PYTHON.with_name("aws")]

    def __call__(self, *arguments):
        return super().__call__(*arguments, "--endpoint-url", self.url)

    def api(self, call, bucket, *arguments):
        text = self("s3api", call, "--output", "json", "--bucket", bucket, *arguments)
        return json.loads(text) if text.strip() else {}

    def make_bucket(self, bucket):
        self("s3", "mb", f"s3://{bucket}")

    def list_buckets(self):
        return [line.split()[2] for line in self("s3", "ls").splitlines()]

    def remove_bucket(self, bucket):
        self("s3", "rb", f"s3://{bucket}")

    def put(self, bucket, key, path):
        self("s3", "cp", path, f"s3://{bucket}/{key}")

    def get(self, bucket, key, path):
        self("s3", "cp", f"s3://{bucket}/{key}", path)

    def get_range(self, bucket, key, first, last, path):
        self.api("get-object", bucket, "--key", key, "--range", f"bytes={first}-{last}", path)

    def list(self, bucket):
        rows = self.api("list-objects-v2", bucket)["Contents"]
        return {row["Key"]: row["Size"] for row in rows}

    def copy(self, bucket, source, target):
        self("s3", "cp", f"s3://{bucket}/{source}", f"s3://{bucket}/{target}")

    def delete_many(self, bucket, keys):
        objects = json.dumps({"Objects": [{"Key": key} for key in keys]})
        assert "Errors" not in self.api("delete-objects", bucket, "--delete", objects)

    def put_metadata(self, bucket, key, path, metadata):
        text = json.dumps(metadata)
        self("s3", "cp", path, f"s3://{bucket}/{key}", "--metadata", text)

    def get_metadata(self, bucket, key):
        return self.api("head-object", bucket, "--key", key)["Metadata"]

    def put_tags(self, bucket, key, tags):
        text = json.dumps({"TagSet": [{"Key": k, "Value": v} for k, v in tags.items()]})
        self.api("put-object-tagging", bucket, "--key", key, "--tagging", text)

    def get_tags(self, bucket, key):
        tags = self.api("get-object-tagging", bucket, "--key", key)["TagSet"]
        return {tag["Key"]: tag["Value"] for tag in tags}

    def put_new(self, bucket, key, path):
        try:
            self.api("put-object", bucket, "--key", key, "--body", path, "--if-none-match", "*")
        except ClientFailed as failure:
            if "PreconditionFailed" not in str(failure):
                raise
            return False
        return True

    def presign(self, bucket, key):
        return self("s3", "presign", f"s3://{bucket}/{key}").strip()


class AwsCli2(AwsCli1):
    name = "aws-cli 2"
    settings = {"default": "", "CRT transfer client": "s3 =\n  preferred_transfer_client = crt\n"}
    lacks = frozenset({"conditional put"})  # not in 2.9
    limits = {"CRT transfer client": {"1 B"}}

    @classmethod
    def program(cls):
        return ["/usr/bin/aws"]

    @classmethod
    def is_installed(cls):
        return super().is_installed() and cls.version().startswith("2.")


class S5cmd(Adapter):
    name = "s5cmd"
    settings = {"default": (), "5 MiB parts, 8 at a time": ("-p", "5", "-c", "8")}
    lacks = frozenset({"range", "tags", "conditional put"})

    def __init__(self, url, setting, home, deadline):
        super().__init__(url, setting, home, deadline)
        self.env["S3_ENDPOINT_URL"] = url

    @classmethod
    def program(cls):
        return [BASE_PYTHON.with_name("s5cmd")]

    @classmethod
    def version(cls):
        return run([*cls.program(), "version"], {}, time.monotonic() + 60).strip().lstrip("v")

    def make_bucket(self, bucket):
        self("mb", f"s3://{bucket}")

    def list_buckets(self):
        return [line.split("s3://")[1] for line in self("ls").splitlines()]

    def remove_bucket(self, bucket):
        self("rb", f"s3://{bucket}")

    def put(self, bucket, key, path, *options):
        self("cp", "--raw", *self.setting, *options, path, f"s3://{bucket}/{key}")

    def get(self, bucket, key, path):
        self("cp", "--raw", *self.setting, f"s3://{bucket}/{key}", path)

    def list(self, bucket):
        rows = [json.loads(row) for row in self("--json", "ls", f"s3://{bucket}/*").splitlines()]
        return {row["key"].removeprefix(f"s3://{bucket}/"): row["size"] for row in rows}

    def copy(self, bucket, source, target):
        self("cp", f"s3://{bucket}/{source}", f"s3://{bucket}/{target}")

    def delete_many(self, bucket, keys):
        self("rm", "--raw", *(f"s3://{bucket}/{key}" for key in keys))

    def put_metadata(self, bucket, key, path, metadata):
        options = [f"--metadata={name}={value}" for name, value in metadata.items()]
        self.put(bucket, key, path, *options)

    def get_metadata(self, bucket, key):
        found = json.loads(self("--json", "head", f"s3://{bucket}/{key}"))["metadata"]
        return {name.lower(): value for name, value in found.items()}

    def presign(self, bucket, key):
        return self("presign", f"s3://{bucket}/{key}").strip()


class Rclone(Adapter):
    name = "rclone"
    settings = {
        "default": (),
        "everything by 5 MiB parts": ("--s3-upload-cutoff=0", "--s3-chunk-size=5Mi"),
    }
    lacks = frozenset({"tags", "conditional put"})

    def __init__(self, url, setting, home, deadline):
        super().__init__(url, setting, home, deadline)
        self.env |= {
            "RCLONE_CONFIG": "",
            "RCLONE_CONFIG_MOCK_TYPE": "s3",
            "RCLONE_CONFIG_MOCK_PROVIDER": "Other",
            "RCLONE_CONFIG_MOCK_ENV_AUTH": "true",
            "RCLONE_CONFIG_MOCK_ENDPOINT": url,
        }

    @classmethod
    def program(cls):
        return ["rclone"]

    def make_bucket(self, bucket):
        self("mkdir", f"mock:{bucket}")

    def list_buckets(self):
        return [line.split()[-1] for line in self("lsd", "mock:").splitlines()]

    def remove_bucket(self, bucket):
        self("rmdir", f"mock:{bucket}")

    def put(self, bucket, key, path, *options):
        self("copyto", *self.setting, *options, path, f"mock:{bucket}/{key}")

    def get(self, bucket, key, path):
        self("copyto", f"mock:{bucket}/{key}", path)

    def get_range(self, bucket, key, first, last, path):
        # What it writes is no text.
        command = 'exec "$0" cat --offset "$1" --count "$2" "$3" >"$4"'
        count = last - first + 1
        arguments = [*self.program(), first, count, f"mock:{bucket}/{key}", path]
        run(["sh", "-c", command, *arguments], self.env, self.deadline)

    def list(self, bucket):
        text = self("lsjson", "--recursive", "--files-only", f"mock:{bucket}")
        return {row["Path"]: row["Size"] for row in json.loads(text)}

    def copy(self, bucket, source, target):
        self("copyto", f"mock:{bucket}/{source}", f"mock:{bucket}/{target}")

    def delete_many(self, bucket, keys):
        names = self.home / "names"
        names.write_text("".join(f"{key}\n" for key in keys))
        self("delete", "--files-from-raw", names, f"mock:{bucket}")

    def put_metadata(self, bucket, key, path, metadata):
        options = [f"--metadata-set={name}={value}" for name, value in metadata.items()]
        self.put(bucket, key, path, "--metadata", *options)

    def get_metadata(self, bucket, key):
        rows = json.loads(self("lsjson", "--metadata", "--stat", f"mock:{bucket}/{key}"))
        return rows["Metadata"]

    def presign(self, bucket, key):
        return self("link", "--expire", "1h", f"mock:{bucket}/{key}").strip()


class S3cmd(Adapter):
    name = "s3cmd"
    settings = {"default": (), "5 MiB parts": ("--multipart-chunk-size-mb=5",)}
    lacks = frozenset({"range", "conditional put"})

    @classmethod
    def program(cls):
        return [CLIENTS_PYTHON, str(CLIENTS_PYTHON.with_name("s3cmd"))]

    def __call__(self, *arguments):
        host = self.url.removeprefix("http://")
        return super().__call__(
            "--no-ssl",
            f"--host={host}",
            f"--host-bucket={host}",
            "--config=/dev/null",
            f"--access_key={self.env['AWS_ACCESS_KEY_ID']}",
            f"--secret_key={self.env['AWS_SECRET_ACCESS_KEY']}",
            "--no-progress",
            *arguments,
        )

    def make_bucket(self, bucket):
        self("mb", f"s3://{bucket}")

    def list_buckets(self):
        return [line.split("s3://")[1] for line in self("ls").splitlines()]

    def remove_bucket(self, bucket):
        self("rb", f"s3://{bucket}")

    def put(self, bucket, key, path, *options):
        self("put", *self.setting, *options, path, f"s3://{bucket}/{key}")

    def get(self, bucket, key, path):
        self("get", "--force", f"s3://{bucket}/{key}", path)

    def list(self, bucket):
        rows = [row.split(maxsplit=3) for row in self("ls", "-r", f"s3://{bucket}").splitlines()]
        return {row[3].removeprefix(f"s3://{bucket}/"): int(row[2]) for row in rows}

    def copy(self, bucket, source, target):
        self("cp", f"s3://{bucket}/{source}", f"s3://{bucket}/{target}")

    def delete_many(self, bucket, keys):
        self("del", *(f"s3://{bucket}/{key}" for key in keys))

    def put_metadata(self, bucket, key, path, metadata):
        options = [f"--add-header=x-amz-meta-{name}:{value}" for name, value in metadata.items()]
        self.put(bucket, key, path, *options)

    def get_metadata(self, bucket, key):
        lines = self("info", f"s3://{bucket}/{key}").splitlines()
        rows = [line.strip().removeprefix("x-amz-meta-").split(":", 1) for line in lines]
        return {row[0]: row[1].strip() for row in rows if len(row) == 2}

    def put_tags(self, bucket, key, tags):
        text = "&".join(f"{name}={value}" for name, value in tags.items())
        self("settagging", f"s3://{bucket}/{key}", text)

    def get_tags(self, bucket, key):
        rows = self("gettagging", f"s3://{bucket}/{key}").splitlines()
        return dict(row.strip().split(":\t", 1) for row in rows if row.startswith("\t"))

    def presign(self, bucket, key):
        return self("signurl", f"s3://{bucket}/{key}", "+3600").strip()


class Curl(Adapter):
    name = "curl"
    settings = {"default": "file", "chunked transfer encoding": "stream"}
    lacks = frozenset({"multipart", "list", "delete many", "tags", "presign"})

    @classmethod
    def program(cls):
        return ["curl"]

    def __call__(self, path, *options):
        user = f"{self.env['AWS_ACCESS_KEY_ID']}:{self.env['AWS_SECRET_ACCESS_KEY']}"
        sign = ("--aws-sigv4", "aws:amz:us-east-1:s3", "--user", user)
        retry = ("--retry", "3", "--retry-delay", "1")
        url = f"{self.url}/{urllib.parse.quote(path)}"
        return super().__call__("-sS", "--fail-with-body", *sign, *retry, *options, url)

    def make_bucket(self, bucket):
        self(bucket, "-X", "PUT")

    def list_buckets(self):
        return [row.split("<")[0] for row in self("").split("<Name>")[1:]]

    def remove_bucket(self, bucket):
        self(bucket, "-X", "DELETE")

    def put(self, bucket, key, path, *options):
        if self.setting == "stream":
            options += ("-H", "Transfer-Encoding: chunked")
        self(f"{bucket}/{key}", "-T", path, *options)

    def get(self, bucket, key, path):
        self(f"{bucket}/{key}", "-o", path)

    def get_range(self, bucket, key, first, last, path):
        self(f"{bucket}/{key}", "-o", path, "-r", f"{first}-{last}")

    def copy(self, bucket, source, target):
        header = f"x-amz-copy-source: /{bucket}/{urllib.parse.quote(source)}"
        self(f"{bucket}/{target}", "-X", "PUT", "-H", header)

    def put_metadata(self, bucket, key, path, metadata):
        headers = [f"x-amz-meta-{name}: {value}" for name, value in metadata.items()]
        self.put(bucket, key, path, *(word for header in headers for word in ("-H", header)))

    def get_metadata(self, bucket, key):
        rows = [row.partition(": ") for row in self(f"{bucket}/{key}", "-I").splitlines()]
        return {row[0].removeprefix("x-amz-meta-"): row[2].strip() for row in rows}

    def put_new(self, bucket, key, path):
        try:
            self.put(bucket, key, path, "-H", "If-None-Match: *")
        except ClientFailed as failure:
            if "PreconditionFailed" not in str(failure):
                raise
            return False
        return True


class Chromium(Adapter):
    name = "Chromium"
    lacks = frozenset(OPERATIONS) - {"presign"}

    @classmethod
    def program(cls):
        return ["chromium"]

    def presign(self, bucket, key):
        return Boto3(self.url, self.home).presign(bucket, key)

    def fetch(self, url):
        background = ("background-networking", "component-update", "sync", "quic", "gpu")
        self(
            "--headless",
            "--no-sandbox",
            "--no-first-run",
            *(f"--disable-{what}" for what in background),
            f"--user-data-dir={self.home / 'chromium'}",
            "--dump-dom",
            url,
        )
