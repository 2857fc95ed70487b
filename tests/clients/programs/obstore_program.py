from datetime import timedelta
from pathlib import Path

import obstore
from obstore.exceptions import AlreadyExistsError
from obstore.store import S3Store

from program import ENDPOINT, SETTING, main, write

SETTINGS = {"unsigned": {"unsigned_payload": True, "checksum_algorithm": "SHA256"}}


class Client:
    def store(self, bucket):
        options = {"allow_http": True}
        config = SETTINGS.get(SETTING, {})
        return S3Store(bucket, endpoint=ENDPOINT, client_options=options, **config)

    def put(self, bucket, key, path):
        obstore.put(self.store(bucket), key, Path(path))

    put_multipart = put

    def get(self, bucket, key, path):
        write(path, obstore.get(self.store(bucket), key))

    def get_range(self, bucket, key, first, last, path):
        write(path, [obstore.get_range(self.store(bucket), key, start=first, end=last + 1)])

    def list(self, bucket):
        pages = obstore.list(self.store(bucket))
        return {row["path"]: row["size"] for page in pages for row in page}

    def copy(self, bucket, source, target):
        obstore.copy(self.store(bucket), source, target)

    def delete_many(self, bucket, keys):
        obstore.delete(self.store(bucket), keys)

    def put_metadata(self, bucket, key, path, metadata):
        obstore.put(self.store(bucket), key, Path(path), attributes=metadata)

    def get_metadata(self, bucket, key):
        return dict(obstore.get(self.store(bucket), key).attributes)

    def put_new(self, bucket, key, path):
        try:
            obstore.put(self.store(bucket), key, Path(path), mode="create")
        except AlreadyExistsError:
            return False
        return True

    def presign(self, bucket, key):
        return obstore.sign(self.store(bucket), "GET", key, timedelta(hours=1))


main(Client, obstore.__version__)
