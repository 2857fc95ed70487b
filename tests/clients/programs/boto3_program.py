import boto3
import botocore.session
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError

from program import ENDPOINT, REGION, SETTING, main

CONFIGS = {
    "unsigned": Config(
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        s3={"payload_signing_enabled": False},
    ),
}
EXTRA = {"sha256": {"ChecksumAlgorithm": "SHA256"}, "crc64nvme": {"ChecksumAlgorithm": "CRC64NVME"}}


def crt_manager():
    """What boto3 makes for preferred_transfer_client="crt", but without TLS, which boto3 always
    asks for."""
    from s3transfer import crt

    session = botocore.session.Session()
    client_arguments = {"region_name": REGION, "endpoint_url": ENDPOINT}
    serializer = crt.BotocoreCRTRequestSerializer(session, client_arguments)
    credentials = crt.BotocoreCRTCredentialsWrapper(session.get_credentials())
    client = crt.create_s3_crt_client(
        REGION, crt_credentials_provider=credentials.to_crt_credentials_provider(), use_ssl=False
    )
    return crt.CRTTransferManager(client, serializer)


class Client:
    def __init__(self):
        self.s3 = boto3.client("s3", config=CONFIGS.get(SETTING, Config()))
        self.extra = EXTRA.get(SETTING, {})
        client = "crt" if SETTING == "crt" else "classic"
        self.transfer = TransferConfig(preferred_transfer_client=client)
        self.crt = crt_manager() if SETTING == "crt without TLS" else None

    def make_bucket(self, bucket):
        self.s3.create_bucket(Bucket=bucket)

    def list_buckets(self):
        return [row["Name"] for row in self.s3.list_buckets()["Buckets"]]

    def remove_bucket(self, bucket):
        self.s3.delete_bucket(Bucket=bucket)

    def put(self, bucket, key, path, **more):
        extra = self.extra | more
        if self.crt:
            self.crt.upload(path, bucket, key, extra_args=extra).result()
        else:
            self.s3.upload_file(path, bucket, key, ExtraArgs=extra, Config=self.transfer)

    put_multipart = put

    def get(self, bucket, key, path):
        if self.crt:
            self.crt.download(bucket, key, path).result()
        else:
            self.s3.download_file(bucket, key, path, Config=self.transfer)

    def get_range(self, bucket, key, first, last, path):
        answer = self.s3.get_object(Bucket=bucket, Key=key, Range=f"bytes={first}-{last}")
        with open(path, "wb") as file:
            file.write(answer["Body"].read())

    def list(self, bucket):
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket=bucket)
        return {row["Key"]: row["Size"] for page in pages for row in page["Contents"]}

    def copy(self, bucket, source, target):
        self.s3.copy({"Bucket": bucket, "Key": source}, bucket, target)

    def delete_many(self, bucket, keys):
        objects = {"Objects": [{"Key": key} for key in keys]}
        answer = self.s3.delete_objects(Bucket=bucket, Delete=objects, **self.extra)
        assert len(answer["Deleted"]) == len(keys) and "Errors" not in answer

    def put_metadata(self, bucket, key, path, metadata):
        self.put(bucket, key, path, Metadata=metadata)

    def get_metadata(self, bucket, key):
        return self.s3.head_object(Bucket=bucket, Key=key)["Metadata"]

    def put_tags(self, bucket, key, tags):
        rows = [{"Key": name, "Value": value} for name, value in tags.items()]
        self.s3.put_object_tagging(Bucket=bucket, Key=key, Tagging={"TagSet": rows}, **self.extra)

    def get_tags(self, bucket, key):
        rows = self.s3.get_object_tagging(Bucket=bucket, Key=key)["TagSet"]
        return {row["Key"]: row["Value"] for row in rows}

    def put_new(self, bucket, key, path):
        try:
            with open(path, "rb") as body:
                self.s3.put_object(Bucket=bucket, Key=key, Body=body, IfNoneMatch="*", **self.extra)
        except ClientError as error:
            if error.response["Error"]["Code"] != "PreconditionFailed":
                raise
            return False
        return True

    def presign(self, bucket, key):
        return self.s3.generate_presigned_url("get_object", {"Bucket": bucket, "Key": key})


main(Client, boto3.__version__)
