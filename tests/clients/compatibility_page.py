"""Prints docs/compatibility.md from what a run of the compatibility tests wrote.

usage: compatibility_page.py FILE
"""

import json
import sys

from compatibility import OPERATIONS

HEAD = """# Clients that were run against mock-s3

`script/test --clients` installs these clients in fixed versions, runs each of them against the
server, and writes this page: nothing in it is claimed by hand. The run was on {date}, with
{server}, on {system}.

Each client runs in its default settings, with all its own checks on, and again with the setting
that most changes what it sends. Sizes must be right at both ends and every byte read the one that
the server serves. A request of a client that the server refuses (400, 403, 405, 411, 500, 501)
counts as a failure even where the client makes nothing of it.

**ok**: it works. **–**: the client has no such call. **FAIL**: see the footnote. Empty: the setting
changes nothing here. Under faults, *recovers* and *error* say what the client makes of them: it tries
again with success, or reports a failure; either is the client's choice, short data without an error
would be a failure.
"""


def main(path):
    with open(path) as file:
        run = json.load(file)
    page = Page(run["cells"])
    print(HEAD.format(**run))
    print("\n".join(page.rows()))
    print("\n## Failures\n")
    print("\n".join(page.footnotes) or "None.")
    print("\n## The columns\n")
    print("\n".join(f"- **{name}**: {meaning}" for name, meaning in OPERATIONS.items()))


class Page:
    def __init__(self, cells):
        self.cells = {(c["client"], c["setting"], c["operation"]): c for c in cells}
        self.footnotes = []
        self.clients = {}
        for cell in cells:
            settings = self.clients.setdefault(cell["client"], [])
            if cell["setting"] not in settings:
                settings.append(cell["setting"])

    def rows(self):
        yield row("client", "setting", *OPERATIONS)
        yield "|" + "---|" * (len(OPERATIONS) + 2)
        for client, settings in self.clients.items():
            for setting in settings:
                name = self.title(client) if setting == settings[0] else ""
                texts = [self.text(client, setting, settings[0], name) for name in OPERATIONS]
                yield row(name, setting, *texts)

    def title(self, client):
        versions = {c["version"] for c in self.cells.values() if c["client"] == client}
        return " ".join([f"**{client}**", *sorted(v for v in versions if v)])

    def text(self, client, setting, default, operation):
        cell = self.cells.get((client, setting, operation))
        if cell is None:
            return "" if (client, default, operation) in self.cells else "–"
        if cell["note"] == "FAIL":
            return f"**FAIL** [{self.footnote(cell)}]"
        return cell["note"]

    def footnote(self, cell):
        """The number of the footnote: one for all cells of a client with the same text."""
        known = cell["known"] or "not known whose fault"
        text = f"{cell['client']}, {known}"
        if not cell["known"]:
            text += f": {cell['message']}"
        texts = [note.split(". ", 1)[1] for note in self.footnotes]
        if text not in texts:
            self.footnotes.append(f"{len(texts) + 1}. {text}")
            return len(self.footnotes)
        return texts.index(text) + 1


def row(*texts):
    return "| " + " | ".join(texts) + " |"


if __name__ == "__main__":
    main(sys.argv[1])
