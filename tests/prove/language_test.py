#!/usr/bin/env python3
"""Programs that use what C and C++ have: `heddle prove` accepts them and decides rightly.

    language_test.py HEDDLE [NAME…]

The first line of each program in language/ says what is expected: "// EXPECT pass" or
"// EXPECT fail KIND"; more words behind a "|" are options. A bug must show natively, too.
"""
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "language"


def check(heddle, source):
    """A complaint, or ""."""
    expected, _, options = re.match(r"// EXPECT ([^|\n]*)(\|(.*))?", source.read_text()).group(1, 2, 3)
    words = expected.split()
    with tempfile.TemporaryDirectory() as top:
        done = subprocess.run([heddle, "prove", str(source), "--json", "--time=60", *(options or "").split()],
                              capture_output=True, text=True, cwd=top, timeout=300)
    if done.returncode not in (0, 1, 3):
        return f"{source.name}: status {done.returncode}: {done.stderr}"
    report = json.loads(done.stdout)
    got = [report["verdict"], *(f["kind"] for f in report["findings"])]
    if got != words:
        return f"{source.name}: {' '.join(got)} ({report['reason']}), expected {expected}"
    for finding in report["findings"]:
        if finding["confirmation"]["state"] not in ("shown", "found"):
            return f"{source.name}: {finding['confirmation']['sentence']}"
    return ""


def main():
    heddle, names = sys.argv[1], sys.argv[2:]
    sources = [s for s in sorted(PROGRAMS.iterdir()) if not names or s.name in names]
    with ThreadPoolExecutor(2) as pool:
        complaints = [c for c in pool.map(lambda s: check(heddle, s), sources) if c]
    print(f"{len(sources)} programs")
    print("\n".join(complaints))
    sys.exit(bool(complaints) or not sources)


if __name__ == "__main__":
    main()
