import minio
from minio.commonconfig import CopySource, Tags
from minio.deleteobjects import DeleteObject

from program import ACCESS_KEY, ENDPOINT, MIB, REGION, SECRET_KEY, SETTING, main, write


class Client:
    def __init__(self):
        host = ENDPOINT.removeprefix("http://")
        self.s3 = minio.Minio(host, ACCESS_KEY, SECRET_KEY, secure=False, region=REGION)
        self.part_size = 5 * MIB if SETTING == "parts" else 0

    def make_bucket(self, bucket):
        self.s3.make_bucket(bucket)

    def list_buckets(self):
        return [row.name for row in self.s3.list_buckets()]

    def remove_bucket(self, bucket):
        self.s3.remove_bucket(bucket)

    def put(self, bucket, key, path, **more):
        self.s3.fput_object(bucket, key, path, part_size=self.part_size, **more)

    put_multipart = put

    def get(self, bucket, key, path):
        self.s3.fget_object(bucket, key, path)

    def get_range(self, bucket, key, first, last, path):
        answer = self.s3.get_object(bucket, key, offset=first, length=last - first + 1)
        write(path, answer.stream())

    def list(self, bucket):
        rows = self.s3.list_objects(bucket, recursive=True)
        return {row.object_name: row.size for row in rows}

    def copy(self, bucket, source, target):
        self.s3.copy_object(bucket, target, CopySource(bucket, source))

    def delete_many(self, bucket, keys):
        errors = list(self.s3.remove_objects(bucket, map(DeleteObject, keys)))
        assert not errors, errors

    def put_metadata(self, bucket, key, path, metadata):
        self.put(bucket, key, path, metadata=metadata)

    def get_metadata(self, bucket, key):
        found = self.s3.stat_object(bucket, key).metadata
        return {name.lower().removeprefix("x-amz-meta-"): found[name] for name in found}

    def put_tags(self, bucket, key, tags):
        rows = Tags.new_object_tags()
        rows.update(tags)
        self.s3.set_object_tags(bucket, key, rows)

    def get_tags(self, bucket, key):
        return dict(self.s3.get_object_tags(bucket, key))

    def presign(self, bucket, key):
        return self.s3.presigned_get_object(bucket, key)


main(Client, minio.__version__)
