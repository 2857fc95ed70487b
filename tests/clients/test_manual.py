"""The manual's examples, run as they stand."""

import re
import sys

import pytest

from mock_server import ROOT, MockServer, clean_environment
from tools import run

PAGE = ROOT / "docs/clients.md"


def blocks(section_text):
    """(language, code) of each fenced block with a language."""
    return re.findall(r"^```(sh|python)\n(.*?)^```$", section_text, re.MULTILINE | re.DOTALL)


def sections():
    parts = re.split(r"^## (.+)$", PAGE.read_text(), flags=re.MULTILINE)
    return parts[0], dict(zip(parts[1::2], parts[2::2]))


PREAMBLE, SECTIONS = sections()
WITH_EXAMPLES = [title for title, text in SECTIONS.items() if blocks(text)]


def test_the_page_has_its_examples():
    assert {"aws-cli", "s5cmd", "rclone", "boto3", "curl"} <= set(WITH_EXAMPLES)


@pytest.mark.parametrize("title", WITH_EXAMPLES)
def test_examples_run(title, ram):
    """Each section by itself behind the page's preparations, in an empty directory."""
    script = ["set -euo pipefail"]
    for language, code in blocks(PREAMBLE) + blocks(SECTIONS[title]):
        if language == "python":
            code = f'"{sys.executable}" <<\'END_OF_PYTHON\'\n{code}END_OF_PYTHON\n'
        script.append(code)
    with MockServer() as server:
        text = "\n".join(script).replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
        # rclone says where it looked for its configuration; there is none here
        (ram / ".config/rclone").mkdir(parents=True)
        (ram / ".config/rclone/rclone.conf").touch()
        run(["bash", "-c", text], clean_environment(HOME=str(ram)), cwd=ram)
        assert not [r for r in server.requests() if r["status"] >= 400 and r["method"] != "HEAD"]
    if "out" in text:
        assert (ram / "out").stat().st_size == 100 << 20
