"""The clients of the compatibility tests."""

from adapters.command_line import AwsCli1, AwsCli2, Chromium, Curl, Rclone, S3cmd, S5cmd
from adapters.library import (
    Boto3,
    Boto3Crt,
    JavaSdk,
    MinioGo,
    MinioPy,
    NodeSdk,
    Obstore,
    PyArrow,
    S3Fs,
    S3TorchConnector,
)

ADAPTERS = [
    AwsCli1,
    AwsCli2,
    Boto3,
    Boto3Crt,
    S5cmd,
    Rclone,
    S3cmd,
    MinioPy,
    MinioGo,
    NodeSdk,
    JavaSdk,
    S3Fs,
    Obstore,
    PyArrow,
    S3TorchConnector,
    Curl,
    Chromium,
]
