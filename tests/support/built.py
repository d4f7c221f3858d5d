"""Programs that several tests check, built once for all of them.

The tests of a program, of minimal traces and of races look at the same programs. What they build goes to
the folder that HEDDLE_BUILT names, under a name made of everything that the result depends on, so that
it is built anew when one of these has changed. Without that variable nothing is shared.
"""
import hashlib
import os
import re
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
ROOT = Path(__file__).resolve().parent.parent.parent


def inputs(source):
    """The source and what it includes by a path of its own."""
    text = source.read_text()
    yield text
    for included in INCLUDE.findall(text):
        if (path := source.parent / included).is_file():
            yield from inputs(path.resolve())


def stamp(path):
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def key(heddle, words, source):
    headers = sorted((ROOT / "include").rglob("*.h"))
    facts = [*map(stamp, [heddle, *headers]), *words, str(source), *inputs(source)]
    return hashlib.sha256("\0".join(facts).encode()).hexdigest()[:24]


def share(heddle, words, source, binary, build):
    """Calls build(path) unless somebody has built the same before; returns where the program is.

    `words` are the compiler and its flags. Where building fails, what build()
    raises goes on to the caller, and nothing is kept.
    """
    if not (folder := os.environ.get("HEDDLE_BUILT")):
        build(binary)
        return binary
    place = Path(folder) / key(heddle, words, source) / "program"
    if not place.is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        own = place.parent / f"being-built-{os.getpid()}"
        build(own)
        os.replace(own, place)
    return place
