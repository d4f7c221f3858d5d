#!/usr/bin/env python3
"""Block operations of every kind and size, whatever the compiler makes of them.

    blocks_test.py HEDDLE [LEVEL…]      a level is options like -O2, perhaps with :clang behind them

For each level one program of C and one of C++. A thread does each operation once, on a block of its own
on the heap, on a stack and among the globals; another thread touches one byte of each block: every one of these races
must be found. Then each operation is done one byte beyond the end of a heap block: every one must be found, too.
And with --visible=all no read may be folded, whatever the level.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SIZES = [1, 2, 3, 4, 7, 8, 12, 16, 17, 24, 33, 64, 100, 256, 300, 5000]

# Name, declarations for size N, the operation on `p` (N bytes) with `q` as the other block, whether it writes p.
OPERATIONS = {
    "memcpy_to": ("memcpy(p, q, N)", "writes"),
    "memcpy_from": ("memcpy(q, p, N)", "reads"),
    "memmove_to": ("memmove(p, q, N)", "writes"),
    "memmove_from": ("memmove(q, p, N)", "reads"),
    "memset_zero": ("memset(p, 0, N)", "writes"),
    "memset_value": ("memset(p, value, N)", "writes"),
    "assign_to": ("*(struct SN*)p = *(struct SN*)q", "writes"),
    "assign_from": ("*(struct SN*)q = *(struct SN*)p", "reads"),
    "assign_zero": ("*(struct SN*)p = SN_ZERO", "writes"),
    "builtin_memcpy": ("__builtin_memcpy(p, q, N)", "writes"),
    "builtin_memset": ("__builtin_memset(p, 0, N)", "writes"),
    "loop_fill": ("for (int i = 0; i < N; ++i) p[i] = 0", "writes"),
}
OPERATIONS_OF_CXX = {
    "std_copy": ("std::copy(q, q + N, p)", "writes"),
    "std_copy_from": ("std::copy(p, p + N, q)", "reads"),
    "std_fill": ("std::fill(p, p + N, char(value))", "writes"),
    "class_copy": ("*(ClassN*)p = *(ClassN*)q", "writes"),
}
HEAD = r"""
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <heddle/heddle.h>
#ifdef __cplusplus
#include <algorithm>
#define ZERO(N) S##N()
#else
#define ZERO(N) (struct S##N){0}
#endif
#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif
int value = 5;
char other[8192], sink, *volatile kept;
"""


def structures(cxx):
    text = "".join(f"struct S{n} {{ char c[{n}]; }};\n" for n in SIZES)
    if cxx:
        text += "".join(f"struct Class{n} {{ char c[{n}]; Class{n}& operator=(const Class{n}&) = default; }};\n"
                        for n in SIZES)
    return text


def cases(cxx):
    """(name, size, statement, what it does to p)"""
    operations = OPERATIONS | (OPERATIONS_OF_CXX if cxx else {})
    for name, (text, does) in operations.items():
        for n in SIZES:
            statement = text.replace("SN_ZERO", f"ZERO({n})").replace("SN", f"S{n}").replace("ClassN", f"Class{n}")
            yield name, n, statement.replace("N", str(n)) if "ZERO" not in statement else statement, does


def racing_program(cxx):
    """Each operation on a line of its own; the other thread touches the last byte of the block."""
    all_cases = list(cases(cxx))
    blocks = ["heap", "global", "stack"]
    lines = [HEAD, structures(cxx), f"char *at[{len(all_cases)}];\n"]
    lines.append(f"static char __attribute__((aligned(8))) global_area[{sum(n + 7 for _, n, _, _ in all_cases)}];\n")
    for i, (name, _, statement, _) in enumerate(all_cases):
        lines.append(f"APART static void case_{i}(char *p, char *q) {{ {statement}; }} // {name}\n")
    lines.append("static void *does(void *a) {\n")
    lines += [f"  case_{i}(at[{i}], other);\n" for i in range(len(all_cases))]
    lines.append("  return a;\n}\nstatic void *touches(void *a) {\n")
    for i, (_, n, _, kind) in enumerate(all_cases):
        lines.append(f"  at[{i}][{n - 1}] = 1;\n" if kind == "reads" else f"  sink += at[{i}][{n - 1}];\n")
    lines.append("  return a;\n}\nint main(void) {\n")
    used = 0
    for i, (_, n, _, _) in enumerate(all_cases):
        where = blocks[i % 3]
        if where == "stack":
            lines.append(f"  char __attribute__((aligned(8))) local_{i}[{n}]; at[{i}] = local_{i};\n")
        elif where == "heap":
            lines.append(f"  at[{i}] = (char*)calloc(1, {n});\n")
        else:
            lines.append(f"  at[{i}] = global_area + {used};\n")
            used += (n + 7) // 8 * 8
    lines.append("  pthread_t t, u;\n  pthread_create(&t, 0, does, 0); pthread_create(&u, 0, touches, 0);\n"
                 "  pthread_join(t, 0); pthread_join(u, 0);\n  _exit(0);\n}\n")
    return "".join(lines).replace("#include <stdio.h>", "#include <stdio.h>\n#include <unistd.h>"), all_cases


def overflowing_program(cxx):
    """One execution for each operation, on a block that is one byte short."""
    all_cases = list(cases(cxx))
    lines = [HEAD, structures(cxx)]
    for i, (name, _, statement, _) in enumerate(all_cases):
        lines.append(f"APART static void case_{i}(char *p, char *q) {{ {statement}; }} // {name}\n")
    lines.append("int main(void) {\n  switch (heddle_choose(%d)) {\n" % len(all_cases))
    for i, (_, n, _, _) in enumerate(all_cases):
        lines.append(f"    case {i}: {{ char *p = kept = (char*)malloc({n - 1}); case_{i}(p, other); free(kept); break; }}\n")
    lines.append("  }\n}\n")
    return "".join(lines), all_cases


def run(heddle, folder, name, text, *options):
    source = folder / name
    source.write_text(text)
    done = subprocess.run([heddle, "check", str(source), "--json", "--keep-going", "--strategy=dfs", "--trace-dir=none",
                           *options], capture_output=True, text=True, timeout=300, cwd=folder)
    if done.returncode != 1:
        sys.exit(f"{name} {options}: status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def racing(report):
    """The cases whose functions a finding names."""
    return {int(number) for number in re.findall(r'"case_(\d+)', json.dumps(report["findings"]))}


def overflowing(report):
    """Those of a template fail at one place, which makes them one finding: then the count must do."""
    if report["failing_executions"] == report["executions"]:
        return set(range(report["executions"]))
    return {finding["trace"][0]["choice"] for finding in report["findings"] if finding["kind"] == "out-of-bounds"}


def folds(heddle, option, compiler):
    """Whether an assertion that another thread's write breaks seems to hold."""
    done = [subprocess.run([heddle, "check", str(Path(__file__).parent / "folded_read.c"), *option.split(), f"--cc={compiler}",
                            "--visible=all", "--races=off", "--strategy=optimal-dpor", "--trace-dir=none", *more],
                           capture_output=True, text=True, timeout=100) for more in ([], ["-DLOOP"])]
    return any(run.returncode != 1 or "assertion" not in run.stdout for run in done)


def main():
    heddle, levels = os.path.abspath(sys.argv[1]), sys.argv[2:] or ["-O0", "-O2 -flto", "-O1 -flto:clang"]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for level in levels:
            option, _, compiler = level.partition(":")
            if folds(heddle, option, compiler or "gcc"):
                print(f"{level}: a read was folded")
                failures += 1
            for suffix in [".c", ".cc"]:
                for what, make, found, options in [("race", racing_program, racing, ["--max-executions=1"]),
                                                   ("overflow", overflowing_program, overflowing, [])]:
                    text, all_cases = make(suffix == ".cc")
                    report = run(heddle, folder, (what + level + suffix).replace(" ", ""), text, *option.split(), f"--cc={compiler or 'gcc'}",
                                 *options)
                    seen = found(report)
                    lost = [case[:2] for i, case in enumerate(all_cases) if i not in seen]
                    print(f"{what} {level} {suffix}: {len(all_cases) - len(lost)} of {len(all_cases)} found")
                    if lost:
                        print("  not found:", lost)
                        failures += 1
    sys.exit(failures > 0)


main()
