#!/usr/bin/env python3
"""The table of supported functions against the library's exports, the manual, and the programs that
test them.

    support_test.py HEDDLE LIBRARY MANUAL HEADER TESTS
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# What compiled code calls (operator new and delete among it), libheddle's own functions, annotations
# for race detectors, and functions of streams (cpp_streams.cc tests these).
OTHERS = re.compile(r"__tsan_|__atomic_|__sanitizer_|heddle_|(WTF)?Annotate|RunningOnValgrind|ValgrindSlowdown|_Z[nd][wal]|_ZNS[io]|_ZSt[lr]s|"
                    r"_ZSt16__ostream_insert|_ZSt(2ws|4endl|5flush|7getline)")


# Functions that compiled code and libraries call where a program says something else: which program,
# compiled how, gets there.
GCC, LIBCXX = ("gcc", "g++", []), ("clang", "clang++", ["-stdlib=libc++"])
REACHED = [
    ("cleanup_handlers.c", GCC, [], r"__pthread_register_cancel|__pthread_unwind_next"),
    ("rare_calls.c", GCC, ["-D_GNU_SOURCE", "-w"], r"__pthread_unregister_cancel"),
    ("cpp_thread_local.cc", GCC, [], r"__cxa_thread_atexit_impl"),
    ("cpp_at_thread_exit.cc", GCC, [], r"_ZNSt13__future_base.*_M_setEv"),
    ("static_throws.cc", GCC, [], r"__cxa_guard_(acquire|release|abort)"),
    ("ends.c", GCC, ["-D_GNU_SOURCE"], r"__cxa_(atexit|finalize)|__libc_start_main"),
    ("keys.c", GCC, [], r"__assert_fail"),
    ("cpp_random_device.cc", GCC, [], r"_ZNSt13random_device9_M_getvalEv"),
    ("cpp_containers.cc", GCC, ["-DALONE"], r"_ZNSt8__detail15_List_node_base.*|_ZSt\d+_Rb_tree.*"),
    ("cpp_random_device.cc", LIBCXX, [], r"_ZNSt3__113random_deviceclEv"),
    ("cpp_call_once.cc", LIBCXX, [], r"_ZNSt3__111__call_once.*"),
    ("cpp_libcxx_monitor.cc", LIBCXX, [], r"_ZNSt3__1.*_atomic_(wait|monitor|notify_one)EPVKvi?"),
    ("cpp_libcxx_monitor.cc", LIBCXX, ["-DWORD"],
     r"_ZNSt3__1.*_atomic_(wait|monitor|notify_one)EPVKNS_17.*"),
    ("cpp_waits.cc", LIBCXX, [], r"_ZNSt3__119__shared_weak_count.*"),
    ("cpp_barrier.cc", LIBCXX, [], r"_ZNSt3__1.*_barrier_algorithm_base.*|.*notify_allEPVKv"),
    ("cpp_libcxx_monitor.cc", LIBCXX, ["-DWORD", "-DALL"], r".*notify_allEPVKNS_17.*"),
]


def undefined(file):
    return {line.split()[-1].split("@")[0]
            for line in output("nm", "-D", "--undefined-only", file).splitlines()}


def reached(heddle, programs, directory):
    """What the programs of the list above, and the C++ libraries under them, import of it."""
    found = set()
    for number, (name, (cc, cxx, library), flags, pattern) in enumerate(REACHED):
        binary = f"{directory}/{number}"
        environment = {**os.environ, "HEDDLE_CC": cc, "HEDDLE_CXX": cxx}
        kind = "cc" if name.endswith(".c") else "c++"
        standard = [] if kind == "cc" else ["-std=c++20"]
        subprocess.run([heddle, kind, *standard, *library, *flags, str(programs / name), "-o", binary],
                       check=True, env=environment, timeout=120)
        symbols = undefined(binary)
        for line in output("ldd", binary).splitlines():
            if re.search(r"libstdc\+\+|libc\+\+", line):
                symbols |= undefined(line.split()[2])
        found |= {symbol for symbol in symbols if re.fullmatch(pattern, symbol)}
    return found


def tested(heddle, tests):
    """Names in the programs, comments apart, and what they reach."""
    words = set()
    for file in [*tests.glob("programs/*.c"), *tests.glob("programs/*.cc"),
                 tests / "cli/modules_test.py"]:
        code = re.sub(r"^ *(//|#(?! *include)).*$", "", file.read_text(), flags=re.M)
        words |= set(re.findall(r"\w+", code))
    with tempfile.TemporaryDirectory(prefix="heddle-test-") as directory:
        return words | reached(heddle, tests / "programs", directory)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def main():
    heddle, library, manual, header, tests = sys.argv[1:]
    text = output(heddle, "support")
    table = [word for line in text.splitlines() if line.startswith("    ")
             for word in line.split() if line.strip() != "runs as it is"]
    spoken = {name for name in table if name.startswith("heddle_")}
    table = [name for name in table if name not in spoken]
    exported = {line.split()[-1].split("@")[0] for line in
                output("nm", "-D", "--defined-only", library).splitlines()}
    exported = {name for name in exported if not OTHERS.match(name)}
    failures = []
    if len(table) != len(set(table)):
        failures.append(f"listed twice: {sorted(n for n in set(table) if table.count(n) > 1)}")
    if set(table) != exported:
        failures.append(f"listed only: {sorted(set(table) - exported)}; "
                        f"exported only: {sorted(exported - set(table))}")
    declared = set(re.findall(r"\b(heddle_[a-z_]*[a-z])\(", open(header).read()))
    if spoken != declared:
        failures.append(f"not both in the table and in the header: {sorted(spoken ^ declared)}")
    if output(heddle, "support", "--mdoc") not in open(manual).read():
        failures.append('the manual does not contain what "heddle support --mdoc" prints')
    names = tested(os.path.abspath(heddle), Path(tests))
    if untested := sorted(name for name in {*table, *spoken} if name not in names):
        failures.append(f"no program tests {untested}")
    if subprocess.run([heddle, "support", "x"], capture_output=True).returncode != 2:
        failures.append("an argument is not refused")
    print("\n".join(failures) or "the table is right")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
