import s3torchconnectorclient
from s3torchconnectorclient._mountpoint_s3_client import MountpointS3Client

from program import ENDPOINT, MIB, REGION, SETTING, main, write


class Client:
    def __init__(self):
        part_size = {"part_size": 5 * MIB} if SETTING == "parts" else {}
        self.s3 = MountpointS3Client(REGION, endpoint=ENDPOINT, force_path_style=True, **part_size)

    def put(self, bucket, key, path):
        target = self.s3.put_object(bucket, key)
        with open(path, "rb") as source:
            while piece := source.read(MIB):
                target.write(piece)
        target.close()

    put_multipart = put

    def get(self, bucket, key, path):
        write(path, self.s3.get_object(bucket, key))

    def get_range(self, bucket, key, first, last, path):
        write(path, self.s3.get_object(bucket, key, start=first, end=last + 1))

    def list(self, bucket):
        pages = self.s3.list_objects(bucket)
        return {row.key: row.size for page in pages for row in page.object_info}

    def copy(self, bucket, source, target):
        self.s3.copy_object(bucket, source, bucket, target)


main(Client, s3torchconnectorclient.__version__)
