"""The clients that are libraries, each behind a program of ours."""

import shutil

from adapters.base import BASE_PYTHON, TOOLS_DIR, Program, PythonProgram


class Boto3(PythonProgram):
    name = "boto3"
    settings = {
        "default": "",
        "unsigned payload, checksums when required": "unsigned",
        "checksum SHA256": "sha256",
    }
    python = BASE_PYTHON
    script = "boto3_program.py"


class Boto3Crt(PythonProgram):
    name = "boto3 with awscrt"
    settings = {
        "CRT transfer manager of s3transfer": "crt without TLS",
        "preferred_transfer_client = crt": "crt",
        "classic, checksum CRC64NVME": "crc64nvme",
    }
    limits = {"preferred_transfer_client = crt": {"1 B"}}
    script = "boto3_program.py"


class MinioPy(PythonProgram):
    name = "minio-py"
    settings = {"default": "", "5 MiB parts": "parts"}
    lacks = frozenset({"conditional put"})
    script = "minio_program.py"


class S3Fs(PythonProgram):
    name = "s3fs"
    settings = {"default": "", "5 MiB blocks": "blocks"}
    script = "s3fs_program.py"


class Obstore(PythonProgram):
    name = "obstore"
    settings = {"default": "", "unsigned payload, checksum SHA256": "unsigned"}
    lacks = frozenset({"bucket", "tags"})
    script = "obstore_program.py"


class PyArrow(PythonProgram):
    name = "pyarrow"
    settings = {"default": "", "delayed open, no background writes": "delayed"}
    # It sends a few headers that it knows as metadata, and drops others.
    lacks = frozenset({"metadata", "tags", "conditional put", "presign"})
    script = "pyarrow_program.py"


class S3TorchConnector(PythonProgram):
    name = "s3torchconnectorclient"
    settings = {"default": "", "5 MiB parts": "parts"}
    lacks = frozenset({"bucket", "delete many", "metadata", "tags", "conditional put", "presign"})
    script = "s3torch_program.py"


class JavaSdk(Program):
    name = "AWS SDK for Java 2"
    settings = {"default": "", "asynchronous client, multipart": "async"}

    @classmethod
    def program(cls):
        classes = f"{TOOLS_DIR}/java/classes:{TOOLS_DIR}/java/lib/*"
        # It ends too soon for the better compiler to pay.
        return ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classes, "S3Program"]

    @classmethod
    def is_installed(cls):
        return shutil.which("java") is not None and (TOOLS_DIR / "java/classes").is_dir()


class MinioGo(Program):
    name = "minio-go"
    settings = {
        "default": "",
        "trailing checksums": "trailer",
        "Content-MD5, no SHA-256 of the payload": "md5",
    }

    @classmethod
    def program(cls):
        return [TOOLS_DIR / "go/minio-go-client"]


class NodeSdk(Program):
    name = "@aws-sdk/client-s3"
    settings = {"default": "", "checksums when required": "WHEN_REQUIRED"}

    @classmethod
    def program(cls):
        return ["node", str(TOOLS_DIR / "js/main.mjs")]
