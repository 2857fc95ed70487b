import pyarrow
from pyarrow import fs

from program import ACCESS_KEY, ENDPOINT, MIB, REGION, SECRET_KEY, SETTING, main, write

SETTINGS = {"delayed": {"allow_delayed_open": True, "background_writes": False}}


class Client:
    def __init__(self):
        self.fs = fs.S3FileSystem(
            access_key=ACCESS_KEY,
            secret_key=SECRET_KEY,
            region=REGION,
            endpoint_override=ENDPOINT,
            allow_bucket_creation=True,
            allow_bucket_deletion=True,
            **SETTINGS.get(SETTING, {}),
        )

    def make_bucket(self, bucket):
        self.fs.create_dir(bucket)

    def list_buckets(self):
        return [row.path for row in self.fs.get_file_info(fs.FileSelector(""))]

    def remove_bucket(self, bucket):
        self.fs.delete_dir(bucket)

    def put(self, bucket, key, path):
        with open(path, "rb") as source, self.fs.open_output_stream(f"{bucket}/{key}") as target:
            while piece := source.read(MIB):
                target.write(piece)

    put_multipart = put

    def get(self, bucket, key, path):
        with self.fs.open_input_stream(f"{bucket}/{key}") as source:
            write(path, iter(lambda: source.read(MIB), b""))

    def get_range(self, bucket, key, first, last, path):
        with self.fs.open_input_file(f"{bucket}/{key}") as source:
            write(path, [source.read_at(last - first + 1, first)])

    def list(self, bucket):
        rows = self.fs.get_file_info(fs.FileSelector(bucket, recursive=True))
        files = [row for row in rows if row.type == fs.FileType.File]
        return {row.path.removeprefix(f"{bucket}/"): row.size for row in files}

    def copy(self, bucket, source, target):
        self.fs.copy_file(f"{bucket}/{source}", f"{bucket}/{target}")

    def delete_many(self, bucket, keys):
        """By directories, for which the library deletes what they hold in one call."""
        for directory in {key.split("/")[0] for key in keys}:
            self.fs.delete_dir(f"{bucket}/{directory}")


main(Client, pyarrow.__version__)
