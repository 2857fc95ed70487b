import s3fs

from program import ENDPOINT, MIB, SETTING, main, write


class Client:
    def __init__(self):
        block_size = {"default_block_size": 5 * MIB} if SETTING == "blocks" else {}
        self.fs = s3fs.S3FileSystem(endpoint_url=ENDPOINT, **block_size)

    def make_bucket(self, bucket):
        self.fs.mkdir(bucket)

    def list_buckets(self):
        return self.fs.ls("")

    def remove_bucket(self, bucket):
        self.fs.rmdir(bucket)

    def put(self, bucket, key, path):
        if SETTING == "blocks":
            with open(path, "rb") as source, self.fs.open(f"{bucket}/{key}", "wb") as target:
                while piece := source.read(MIB):
                    target.write(piece)
        else:
            self.fs.put_file(path, f"{bucket}/{key}")

    def put_multipart(self, bucket, key, path):
        self.put(bucket, key, path)

    def get(self, bucket, key, path):
        if SETTING == "blocks":
            with self.fs.open(f"{bucket}/{key}", "rb") as source:
                write(path, iter(lambda: source.read(MIB), b""))
        else:
            self.fs.get_file(f"{bucket}/{key}", path)

    def get_range(self, bucket, key, first, last, path):
        write(path, [self.fs.cat_file(f"{bucket}/{key}", start=first, end=last + 1)])

    def list(self, bucket):
        rows = self.fs.find(bucket, detail=True).values()
        return {row["name"].removeprefix(f"{bucket}/"): row["size"] for row in rows}

    def copy(self, bucket, source, target):
        self.fs.copy(f"{bucket}/{source}", f"{bucket}/{target}")

    def delete_many(self, bucket, keys):
        self.fs.rm([f"{bucket}/{key}" for key in keys])

    def put_metadata(self, bucket, key, path, metadata):
        self.fs.put_file(path, f"{bucket}/{key}", Metadata=metadata)

    def get_metadata(self, bucket, key):
        return self.fs.metadata(f"{bucket}/{key}")

    def put_tags(self, bucket, key, tags):
        self.fs.put_tags(f"{bucket}/{key}", tags)

    def get_tags(self, bucket, key):
        return self.fs.get_tags(f"{bucket}/{key}")

    def put_new(self, bucket, key, path):
        with open(path, "rb") as file:
            content = file.read()
        try:
            self.fs.pipe_file(f"{bucket}/{key}", content, mode="create")
        except FileExistsError:
            return False
        return True

    def presign(self, bucket, key):
        return self.fs.sign(f"{bucket}/{key}")


main(Client, s3fs.__version__)
