"""data-gen as a process."""

import hashlib
import os
import signal
import subprocess
import time

import pytest

from mock_server import clean_environment, program

MIB = 1 << 20
# SHA-256 of the one file of 1x1MiB, seed 1
GOLDEN = "bdf4803ddd80b66ab666d90b9749fcad88576924d890023cb6c0e58e6bf5b914"


def data_gen(*arguments, status=0):
    done = subprocess.run(
        [program("data-gen"), *map(str, arguments)],
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == status, (done.stdout[-500:], done.stderr)
    return done


def complaint(*arguments, status):
    done = data_gen(*arguments, status=status)
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def tree(directory):
    """SHA-256 by path of all files below a directory."""
    return {
        str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_same_seed_same_bytes(ram):
    data_gen("4x1MiB", "--to", ram / "one")
    data_gen("4x1MiB", "--to", ram / "two")
    data_gen("4x1MiB", "--to", ram / "other", "--seed", "2000")
    one = tree(ram / "one")
    assert len(one) == 4 and len(set(one.values())) == 4, "four files, all different"
    assert tree(ram / "two") == one
    assert tree(ram / "other").keys() == one.keys()
    assert not set(tree(ram / "other").values()) & set(one.values())
    assert {path.stat().st_size for path in (ram / "one").iterdir()} == {MIB}


def test_bytes_are_those_of_every_machine(ram):
    """It changes only with the format, never by accident."""
    data_gen("1x1MiB", "--to", ram / "one")
    (digest,) = tree(ram / "one").values()
    assert digest == GOLDEN


@pytest.mark.parametrize("name", ["many-tiny", "mixed", "hostile"])
def test_named_sets(ram, name):
    data_gen(name, "--to", ram / "one")
    data_gen(name, "--to", ram / "two")
    assert tree(ram / "one") == tree(ram / "two") != {}
    data_gen(name, "--to", ram / "one", "--verify")


def test_writing_again_changes_nothing(ram):
    data_gen("2x1MiB", "--to", ram / "one")
    before = tree(ram / "one")
    data_gen("2x1MiB", "--to", ram / "one")
    assert tree(ram / "one") == before


def test_verify_names_file_and_offset_of_a_flipped_byte(ram):
    data_gen("4x1MiB", "--to", ram / "one", "--manifest", ram / "list")
    data_gen("4x1MiB", "--to", ram / "one", "--verify")
    data_gen("--verify", ram / "one")
    data_gen("--verify", "--manifest", ram / "list", ram / "one")
    victim = sorted((ram / "one").iterdir())[2]
    offset = 777_777
    with open(victim, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 1]))
    for how in (
        ("4x1MiB", "--to", ram / "one", "--verify"),
        ("--verify", ram / "one"),
        ("--verify", "--manifest", ram / "list", ram / "one"),
    ):
        done = data_gen(*how, status=1)
        said = (done.stdout + done.stderr).decode()
        assert victim.name in said and str(offset) in said, said
        assert all(p.name not in said for p in (ram / "one").iterdir() if p != victim)


@pytest.mark.parametrize("damage", ["short", "long", "missing"])
def test_verify_finds_files_that_are_wrong_as_a_whole(ram, damage):
    data_gen("3x1MiB", "--to", ram / "one")
    victim = sorted((ram / "one").iterdir())[1]
    if damage == "short":
        os.truncate(victim, MIB - 1)
    elif damage == "long":
        with open(victim, "ab") as file:
            file.write(b"x")
    else:
        victim.unlink()
    done = data_gen("3x1MiB", "--to", ram / "one", "--verify", status=1)
    assert victim.name in (done.stdout + done.stderr).decode()


def test_dry_run_writes_nothing(ram):
    done = data_gen("4x1MiB", "--to", ram / "one", "--dry-run")
    assert done.stdout.strip()
    assert list(ram.iterdir()) == []


def test_stream(ram):
    """Standard output carries the files one after another."""
    data_gen("3x1000", "--to", ram / "one")
    files = b"".join(path.read_bytes() for path in sorted((ram / "one").iterdir()))
    assert data_gen("3x1000", "--to", "-").stdout == files


def test_stream_to_a_reader_that_leaves():
    """`data-gen ... | head` ends soon and without a crash."""
    process = subprocess.Popen(
        [program("data-gen"), "1000x1GiB", "--to", "-"],
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert len(process.stdout.read(MIB)) == MIB
    process.stdout.close()
    process.stderr.read()
    assert process.wait(10) in (0, 1, -signal.SIGPIPE)
    process.stderr.close()


def test_no_room(ram):
    """Known before the first byte."""
    line = complaint("1000000x1GiB", "--to", ram / "one", status=1)
    assert "room" in line or "space" in line or "free" in line
    assert tree(ram) == {}


def test_short_volume(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("mounting a small volume needs root")
    volume = tmp_path / "volume"
    volume.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", volume], capture_output=True, text=True
    )
    if mount.returncode != 0:
        pytest.skip(f"cannot mount a small volume here: {mount.stderr.strip()}")
    try:
        assert str(volume) in complaint("4x1MiB", "--to", volume / "one", status=1)
        assert list(volume.iterdir()) == []
        data_gen("2x1MiB", "--to", volume / "one")
    finally:
        subprocess.run(["umount", volume], check=True)


def test_file_in_the_way(ram):
    (ram / "file").write_text("mine")
    assert str(ram / "file") in complaint("2x1MiB", "--to", ram / "file", status=1)
    assert (ram / "file").read_text() == "mine"
    (ram / "one").mkdir()
    (ram / "one/01").mkdir()  # what the second of two files is called
    assert "01" in complaint("2x1MiB", "--to", ram / "one", status=1)
    assert tree(ram / "one") == {}


def test_interrupt_leaves_no_half_file(ram):
    process = subprocess.Popen(
        [program("data-gen"), "4x1GiB", "--to", str(ram / "one")],
        env=clean_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(200):
        time.sleep(0.005)
        if tree_sizes(ram):
            break
    process.send_signal(signal.SIGINT)
    assert process.wait(20) != 0
    assert set(tree_sizes(ram)) <= {1 << 30}


def tree_sizes(directory):
    return [path.stat().st_size for path in directory.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "arguments, named",
    [
        ([], ""),
        (["4x1MiB"], "--to"),
        (["nonesuch", "--to", "x"], "nonesuch"),
        (["4x", "--to", "x"], "4x"),
        (["0x1MiB", "--to", "x"], "0x1MiB"),
        (["4x5parsecs", "--to", "x"], "4x5parsecs"),
        (["4x1MiB", "--to", "x", "--seed", "-1"], "--seed"),
        (["4x1MiB", "--to", "x", "--no-such-flag"], "--no-such-flag"),
        (["--verify"], "--verify"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_bad_usage(arguments, named):
    assert named in complaint(*arguments, status=2)


def test_server_bytes_are_not_a_data_set(server, bucket, s3, ram):
    """What the server makes up is told apart from what data-gen writes."""
    s3.put_object(Bucket=bucket, Key="k", Body=b"x" * MIB)
    (ram / "served").write_bytes(s3.get_object(Bucket=bucket, Key="k")["Body"].read())
    data_gen("--verify", ram / "served", status=1)
