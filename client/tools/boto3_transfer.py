"""Moves all files of a directory to or from S3 with boto3's defaults.

Arguments: put|get ENDPOINT BUCKET PREFIX DIRECTORY
"""
import os
import sys

import boto3


def put(client, bucket, prefix, directory):
    for name in sorted(os.listdir(directory)):
        client.upload_file(os.path.join(directory, name), bucket, prefix + name)


def get(client, bucket, prefix, directory):
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
    for page in pages:
        for item in page.get("Contents", []):
            target = os.path.join(directory, item["Key"][len(prefix):])
            client.download_file(bucket, item["Key"], target)


def main():
    operation, endpoint, bucket, prefix, directory = sys.argv[1:]
    client = boto3.client("s3", endpoint_url=endpoint)
    {"put": put, "get": get}[operation](client, bucket, prefix, directory)


main()
