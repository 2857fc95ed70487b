"""docs/s3-operations.md, row by row: the server does with each operation what the page says."""

import http.client
import itertools
import re
import urllib.parse
from dataclasses import dataclass

import boto3
import pytest

from mock_server import ROOT

PAGE = ROOT / "docs/s3-operations.md"
XMLNS = "http://s3.amazonaws.com/doc/2006-03-01/"
# not in the API reference under a name, though S3 serves them
UNNAMED = {"PostObject", "AppendObject", "Preflight"}

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Row:
    operation: str
    method: str
    target: str
    kind: str
    note: str

    @property
    def subresource(self):
        """With '/' in front where it is an object's."""
        name = re.split(r"[=&]", self.target.partition("?")[2])[0]
        return ("/" if "{key}" in self.target else "") + name

    @property
    def reported(self):
        """Under which name the server counts it."""
        same = re.search(r"the same request as (\w+)", self.note)
        return same[1] if same else self.operation

    @property
    def answer(self):
        """`404 SomeCode`, or the root of a document, as the note has it first."""
        return re.search(r"`(\d{3} \w+|[A-Z]\w+)`", self.note)[1]


def rows():
    found = re.findall(
        r"^\| (\w+) \| `([A-Z]+) (\S+)` \| ([\w ]+) \|(.*)\|$", PAGE.read_text(), re.MULTILINE
    )
    return [Row(*(part.strip() for part in row)) for row in found]


ROWS = rows()


def of_kind(kind, method=None):
    chosen = [r for r in ROWS if r.kind == kind and method in (None, r.method)]
    assert chosen
    return pytest.mark.parametrize("row", chosen, ids=lambda row: row.operation)


def xml(root, content):
    return f'<{root} xmlns="{XMLNS}">{content}</{root}>'


TAGS = xml("Tagging", "<TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet>")
POLICY = (
    '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*",'
    '"Action":"s3:GetObject","Resource":"arn:aws:s3:::x/*"}]}'
)
CORS = xml(
    "CORSConfiguration",
    "<CORSRule><AllowedOrigin>http://a</AllowedOrigin><AllowedMethod>GET</AllowedMethod>"
    "</CORSRule>",
)
DOCUMENTS = {
    "/tagging": TAGS,
    "abac": xml("AbacStatus", "<Status>Enabled</Status>"),
    "accelerate": xml("AccelerateConfiguration", "<Status>Enabled</Status>"),
    "acl": xml(
        "AccessControlPolicy",
        "<Owner><ID>o</ID></Owner><AccessControlList><Grant><Grantee><ID>g</ID></Grantee>"
        "<Permission>READ</Permission></Grant></AccessControlList>",
    ),
    "analytics": xml(
        "AnalyticsConfiguration", "<Id>one</Id><StorageClassAnalysis/>"
    ),
    "cors": CORS,
    "encryption": xml(
        "ServerSideEncryptionConfiguration",
        "<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>aws:kms</SSEAlgorithm>"
        "</ApplyServerSideEncryptionByDefault></Rule>",
    ),
    "intelligent-tiering": xml(
        "IntelligentTieringConfiguration",
        "<Id>one</Id><Status>Enabled</Status><Tiering><AccessTier>ARCHIVE_ACCESS</AccessTier>"
        "<Days>90</Days></Tiering>",
    ),
    "inventory": xml(
        "InventoryConfiguration",
        "<Destination><S3BucketDestination><Bucket>arn:aws:s3:::x</Bucket><Format>CSV</Format>"
        "</S3BucketDestination></Destination><IsEnabled>true</IsEnabled><Id>one</Id>"
        "<IncludedObjectVersions>All</IncludedObjectVersions>"
        "<Schedule><Frequency>Daily</Frequency></Schedule>",
    ),
    "lifecycle": xml(
        "LifecycleConfiguration",
        "<Rule><ID>r</ID><Filter><Prefix>x/</Prefix></Filter><Status>Enabled</Status>"
        "<Expiration><Days>3</Days></Expiration></Rule>",
    ),
    "logging": xml(
        "BucketLoggingStatus",
        "<LoggingEnabled><TargetBucket>x</TargetBucket><TargetPrefix>y</TargetPrefix>"
        "</LoggingEnabled>",
    ),
    "metrics": xml("MetricsConfiguration", "<Id>one</Id>"),
    "notification": xml(
        "NotificationConfiguration",
        "<TopicConfiguration><Topic>arn:t</Topic><Event>s3:ObjectCreated:*</Event>"
        "</TopicConfiguration>",
    ),
    "object-lock": xml(
        "ObjectLockConfiguration",
        "<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>"
        "<Mode>GOVERNANCE</Mode><Days>1</Days></DefaultRetention></Rule>",
    ),
    "ownershipControls": xml(
        "OwnershipControls", "<Rule><ObjectOwnership>ObjectWriter</ObjectOwnership></Rule>"
    ),
    "policy": POLICY,
    "publicAccessBlock": xml(
        "PublicAccessBlockConfiguration", "<BlockPublicAcls>false</BlockPublicAcls>"
    ),
    "replication": xml(
        "ReplicationConfiguration",
        "<Role>arn:r</Role><Rule><Status>Enabled</Status><Destination><Bucket>arn:b</Bucket>"
        "</Destination></Rule>",
    ),
    "requestPayment": xml("RequestPaymentConfiguration", "<Payer>Requester</Payer>"),
    "tagging": TAGS,
    "versioning": xml("VersioningConfiguration", "<Status>Enabled</Status>"),
    "website": xml(
        "WebsiteConfiguration", "<IndexDocument><Suffix>i.html</Suffix></IndexDocument>"
    ),
}
BODIES = {
    "DeleteObjects": "<Delete><Object><Key>k</Key></Object></Delete>",
    "PostObject": (
        '--x\r\nContent-Disposition: form-data; name="key"\r\n\r\nk\r\n'
        '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nhello\r\n--x--\r\n'
    ),
    "PutObject": "hello",
    "UploadPart": "hello",
    "PutObjectAcl": DOCUMENTS["acl"],
}
HEADERS = {
    "CopyObject": {"x-amz-copy-source": "{bucket}/k", "x-amz-metadata-directive": "REPLACE"},
    "UploadPartCopy": {"x-amz-copy-source": "{bucket}/k"},
    "PostObject": {"Content-Type": "multipart/form-data; boundary=x"},
    "GetObjectAttributes": {"x-amz-object-attributes": "ETag,ObjectParts,ObjectSize"},
    "AppendObject": {"x-amz-write-offset-bytes": "0"},
    "Preflight": {"Origin": "http://a", "Access-Control-Request-Method": "GET"},
}


class Bucket:
    """A new bucket with an object k of 5 bytes."""

    def __init__(self, server):
        self.server = server
        self.name = f"operations-{next(_numbers)}"
        self.upload_id = "one"
        assert self.send("PUT", "/{bucket}")[0] == 200
        assert self.send("PUT", "/{bucket}/{key}", "hello")[0] == 200

    def send(self, method, target, body="", headers=None):
        """(status, body, request id)"""
        parts = {"bucket": self.name, "key": "k", "id": self.upload_id}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        try:
            filled = {k: v.format(**parts) for k, v in (headers or {}).items()}
            connection.request(method, target.format(**parts), body.encode(), filled)
            response = connection.getresponse()
            text = response.read().decode(errors="replace")
            return response.status, text, response.headers["x-amz-request-id"]
        finally:
            connection.close()

    def prepare(self, row):
        """What must be there before the row's request."""
        needs = {"GetBucketPolicyStatus": "policy", "Preflight": "cors"}
        if row.subresource in ("object-lock", "replication"):
            self.configure("versioning")
        if row.operation in needs:
            self.configure(needs[row.operation])
        if row.operation == "DeleteBucket":
            assert self.send("DELETE", "/{bucket}/{key}")[0] == 204
        if "uploadId" in row.target:
            text = self.send("POST", "/{bucket}/{key}?uploads")[1]
            self.upload_id = re.search("<UploadId>(.*)</UploadId>", text)[1]

    def configure(self, name):
        status, text, _ = self.send("PUT", "/{bucket}?" + name, DOCUMENTS[name])
        assert status in (200, 204), text

    def completion(self):
        part = self.send("PUT", "/{bucket}/{key}?partNumber=1&uploadId={id}", "hello")
        assert part[0] == 200
        listed = self.send("GET", "/{bucket}/{key}?uploadId={id}")[1]
        etag = re.search("<ETag>(.*)</ETag>", listed)[1]
        return (
            "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber>"
            f"<ETag>{etag}</ETag></Part></CompleteMultipartUpload>"
        )

    def run(self, row):
        body = BODIES.get(row.operation, "")
        if row.method == "PUT" and row.kind == "kept and returned":
            body = DOCUMENTS[row.subresource]
        if row.operation == "CompleteMultipartUpload":
            body = self.completion()
        return self.send(row.method, row.target, body, HEADERS.get(row.operation))


@pytest.fixture
def bucket(server):
    return Bucket(server)


def put(bucket, row):
    """What the row returns, or lists."""
    target = row.target + ("&id={id}" if row.operation.startswith("List") else "")
    status, text, _ = bucket.send("PUT", target, DOCUMENTS[row.subresource])
    assert status in (200, 204), text


def check_initial(answer, wanted):
    """That an answer is what a note says: an error, or a document with that root."""
    status, text, _ = answer
    if wanted[0].isdigit():
        assert (f"{status} " + re.search("<Code>(.*)</Code>", text)[1]) == wanted
    else:
        assert status == 200, text
        assert re.search(r"<(\w+) xmlns=", text)[1] == wanted


def test_the_page_has_every_operation_once():
    names = [row.operation for row in ROWS]
    assert len(names) == len(set(names))
    client = boto3.client(
        "s3", "us-east-1", aws_access_key_id="any", aws_secret_access_key="any"
    )
    missing = set(client.meta.service_model.operation_names) - set(names)
    assert not missing
    assert {r.kind for r in ROWS} == {
        "served",
        "kept and returned",
        "default answer",
        "NotImplemented",
    }


@of_kind("served")
def test_served(bucket, row):
    bucket.prepare(row)
    status, text, _ = bucket.run(row)
    assert status in (200, 204), text
    assert "<Error>" not in text


@of_kind("NotImplemented")
def test_not_implemented(bucket, row):
    bucket.prepare(row)
    status, text, _ = bucket.run(row)
    assert status == 501
    assert "<Code>NotImplemented</Code>" in text
    assert f"<Message>{row.operation} is not implemented" in text


@of_kind("default answer")
def test_default_answer(bucket, row):
    check_initial(bucket.run(row), row.answer)


@of_kind("kept and returned", "GET")
def test_kept_is_returned(bucket, row):
    check_initial(bucket.run(row), row.answer)
    bucket.prepare(row)
    put(bucket, row)
    status, text, _ = bucket.run(row)
    assert status == 200
    assert DOCUMENTS[row.subresource] in text


@of_kind("kept and returned", "PUT")
def test_put_is_kept(bucket, row):
    bucket.prepare(row)
    status, text, _ = bucket.run(row)
    assert status in (200, 204), text
    assert DOCUMENTS[row.subresource] in bucket.send("GET", row.target)[1]
    if row.subresource != "policy":
        assert bucket.send("PUT", row.target, "<Wrong/>")[0] == 400
        assert DOCUMENTS[row.subresource] in bucket.send("GET", row.target)[1]


@of_kind("kept and returned", "DELETE")
def test_delete_removes_it(bucket, row):
    bucket.prepare(row)
    put(bucket, row)
    status, text, _ = bucket.run(row)
    assert (status, text) == (204, "")
    assert DOCUMENTS[row.subresource] not in bucket.send("GET", row.target)[1]


def test_the_server_counts_each_under_its_name(server):
    expected = {}
    since = server.admin("requests?limit=0")["now_ns"]
    for row in ROWS:
        bucket = Bucket(server)
        bucket.prepare(row)
        expected[bucket.run(row)[2]] = row.reported
    seen = {r["request_id"]: r["op"] for r in server.requests(since)}
    assert {i: seen[i] for i in expected} == expected


@pytest.mark.parametrize("method", ["GET", "PUT", "POST", "DELETE", "HEAD"])
@pytest.mark.parametrize("target", ["/{bucket}", "/{bucket}/{key}"])
def test_sub_resources_never_fall_through(bucket, method, target):
    names = {row.subresource.lstrip("/") for row in ROWS} | {"newthing"}
    known = {row.subresource for row in ROWS if row.method == method and row.subresource}
    for name in sorted(names - {"", "list-type", "partNumber", "uploadId"}):
        if ("/" if "{key}" in target else "") + name in known:
            continue
        status, text, _ = bucket.send(method, f"{target}?{urllib.parse.quote(name)}")
        assert status in (405, 501), name
    assert bucket.send("HEAD", "/{bucket}/{key}")[0] == 200
