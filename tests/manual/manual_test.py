#!/usr/bin/env python3
"""Runs the commands of README.md, docs/manual.md and docs/gallery.md, in order, and compares what they print with the page.

A command may say its exit status behind "# exit status"; otherwise it is 0. In what it prints, "…"
stands for anything: alone on a line for any lines, within a line for the rest of it.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def commands(page):
    """(command, status, expected lines) of the console blocks."""
    for block in re.findall(r"^```console\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            first, *expected = part.rstrip("\n").split("\n")
            match = re.fullmatch(r"(.*?)(?:\s+# exit status (\d+|any))?", first)
            yield match[1], match[2] or "0", expected


def pattern(expected):
    text = ""
    for line in expected:
        if line == "…":
            text += r"(?:.*\n)*"
        else:
            text += ".*".join(re.escape(piece) for piece in line.split("…")) + r"\n"
    return text


def run_page(page, directory, heddle):
    """(commands, failures) of one page."""
    failures = count = 0
    os.mkdir(f"{directory}/bin")
    os.symlink(heddle, f"{directory}/bin/heddle")
    environment = {**os.environ, "PATH": f"{directory}/bin:{os.environ['PATH']}", "COLUMNS": "120"}
    for command, status, expected in commands(page.read_text()):
        count += 1
        done = subprocess.run(["bash", "-c", command], cwd=directory, env=environment,
                              capture_output=True, text=True, timeout=120)
        if status not in ("any", str(done.returncode)):
            failures += 1
            print(f"$ {command}\nended with {done.returncode} instead of {status}\n"
                  f"{done.stdout}{done.stderr}")
        elif expected and not re.fullmatch(pattern(expected), done.stdout):
            failures += 1
            print(f"$ {command}\nprinted\n{done.stdout}{done.stderr}\nand not\n"
                  + "\n".join(expected))
    print(f"{page.name}: {count} commands, {failures} failures")
    return count, failures


def main():
    heddle = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="heddle-manual-") as directory:
        shutil.copytree(ROOT / "examples", directory, dirs_exist_ok=True)
        commands_run, failures = run_page(ROOT / "docs/manual.md", directory, heddle)
    with tempfile.TemporaryDirectory(prefix="heddle-gallery-") as directory:
        shutil.copytree(ROOT / "examples", directory, dirs_exist_ok=True)
        bugs, failures_of_gallery = run_page(ROOT / "docs/gallery.md", directory, heddle)
    with tempfile.TemporaryDirectory(prefix="heddle-readme-") as directory:
        shutil.copytree(ROOT / "examples", f"{directory}/examples")
        os.symlink(heddle, f"{directory}/heddle")
        of_readme, failures_of_readme = run_page(ROOT / "README.md", directory, heddle)
    failures += failures_of_gallery + failures_of_readme
    return 1 if failures or commands_run < 10 or bugs < 24 or of_readme < 1 else 0


if __name__ == "__main__":
    sys.exit(main())
