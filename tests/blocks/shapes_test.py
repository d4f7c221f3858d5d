#!/usr/bin/env python3
"""Accesses of every form that gcc knows (shapes.py), which must be seen whatever it makes of them.

    shapes_test.py HEDDLE [LEVEL…]

For each level one program of C and one of C++ of each kind: each access races with another thread's; each is made on a
block that is a byte short; each is made after the block was freed. Every one must be found. And where each has an
object of its own, nothing may be.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from shapes import head, shapes  # noqa: E402


def functions(rows):
    for i, (_, kind, statement, does, byte) in enumerate(rows):
        at = f"((char*)p)[{byte if byte is not None else f'sizeof(T{i}) - 1'}]"
        yield f"typedef {kind} T{i};\nAPART static void case_{i}(T{i} *p) {{ {statement}; }}\n"
        yield f"APART static void touch_{i}(T{i} *p) {{ {f'{at} = 0' if does == 'r' else f'sink_byte += {at}'}; }}\n"


def racing(rows, shared):
    """Two threads, with all objects shared or none."""
    yield head() + f"static void *at[2][{len(rows)}];\n"
    yield from functions(rows)
    for who, what in enumerate(["case", "touch"]):
        yield f"static void *{what}s(void *a) {{\n"
        yield from (f"  {what}_{i}((T{i}*)at[{who if not shared else 0}][{i}]);\n" for i in range(len(rows)))
        yield "  return a;\n}\n"
    yield "int main(void) {\n"
    for i in range(len(rows)):
        yield f"  for (int k = 0; k < 2; k++) {{ size_t n = (sizeof(T{i}) + 63) / 64 * 64;"
        yield f" memset(at[k][{i}] = aligned_alloc(64, n), 0, n); }}\n"
    yield "  pthread_t t, u;\n  pthread_create(&t, 0, cases, 0); pthread_create(&u, 0, touchs, 0);\n"
    yield "  pthread_join(t, 0); pthread_join(u, 0);\n  _exit(0);\n}\n"


def misusing(rows, freed):
    """One execution for each."""
    yield head()
    yield from functions(rows)
    yield f"int main(void) {{\n  switch (heddle_choose({len(rows)})) {{\n"
    for i, row in enumerate(rows):
        last = row[4] if row[4] is not None else f"sizeof(T{i}) - 1"
        room = f"sizeof(T{i})" if freed else last
        yield f"  case {i}: kept = (char*)malloc({room}); {'free(kept);' if freed else ''} case_{i}((T{i}*)kept); break;\n"
    yield "  }\n  _exit(0);\n}\n"


def run(heddle, folder, name, text, *options):
    source = folder / name
    source.write_text("".join(text))
    done = subprocess.run([heddle, "check", str(source), "--json", "--keep-going", "--strategy=dfs", "--leaks=off",
                           f"--trace-dir={folder}", "-w", "-mcx16", "-latomic", "-lm", *options],
                          capture_output=True, text=True, errors="replace", timeout=300, cwd=folder)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{name} {options}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def lost_races(rows, report):
    seen = {int(number) for number in re.findall(r'"(?:case|touch)_(\d+)', json.dumps(report["findings"]))}
    return [row[0] for i, row in enumerate(rows) if i not in seen]


def lost_misuses(rows, report):
    """Where all executions fail, so do all rows; several may be one finding."""
    if report["failing_executions"] == report["executions"] == len(rows):
        return []
    seen = {finding["trace"][0].get("choice", 0) for finding in report["findings"] if finding["trace"]}
    return [f"{len(rows) - report['failing_executions']} of",
            *(row[0] for i, row in enumerate(rows) if i not in seen)]


def main():
    heddle, levels = os.path.abspath(sys.argv[1]), sys.argv[2:] or ["-O1"]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for level in levels:
            for suffix in (".c", ".cc"):
                rows = shapes(suffix == ".cc")
                # Its first byte is named, so that no block is short of it.
                short = [row for row in rows if not row[0].startswith("member_function")]
                for what, of, lost, text, options in [
                        ("race", rows, lost_races, racing(rows, True), ["--max-executions=1"]),
                        ("overflow", short, lost_misuses, misusing(short, False), []),
                        ("freed", rows, lost_misuses, misusing(rows, True), [])]:
                    missing = lost(of, run(heddle, folder, what + suffix, text, level, *options))
                    print(f"{what} {level} {suffix}: {len(of)} forms", *(["not found:", *missing] if missing else []))
                    failures += bool(missing)
                report = run(heddle, folder, "apart" + suffix, racing(rows, False), level, "--max-executions=1")
                if report["findings"]:
                    print(f"apart {level} {suffix}: {report['findings'][0]['message']}")
                    failures += 1
    sys.exit(failures > 0)


main()
