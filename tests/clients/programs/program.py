"""How the programs beside this file are called: the name of a method, its arguments as a JSON
list; the result is printed as JSON. `S3_CLIENT_SETTING` names what is not to be default."""

import json
import os
import sys

ENDPOINT = os.environ.get("AWS_ENDPOINT_URL", "")
ACCESS_KEY = os.environ.get("AWS_ACCESS_KEY_ID", "")
SECRET_KEY = os.environ.get("AWS_SECRET_ACCESS_KEY", "")
REGION = os.environ.get("AWS_REGION", "")
SETTING = os.environ.get("S3_CLIENT_SETTING", "")
MIB = 1 << 20


def main(client, version):
    call, arguments = sys.argv[1], json.loads(sys.argv[2])
    result = version if call == "version" else getattr(client(), call)(*arguments)
    json.dump(result, sys.stdout)


def write(path, pieces):
    with open(path, "wb") as file:
        for piece in pieces:
            file.write(piece)
