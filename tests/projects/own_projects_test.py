#!/usr/bin/env python3
"""One small project under CMake, autotools and make, with heddle as the compiler.

    own_projects_test.py HEDDLE cmake|autotools|make

Each is built with the library's bug, which must be found, and without, when nothing may be.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77


def run(command, cwd, **environment):
    done = subprocess.run(command, cwd=cwd, env={**os.environ, **environment}, text=True, timeout=240,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise SystemExit(f"{command} failed in {cwd}:\n{done.stdout[-4000:]}")
    return done.stdout


def verdict(heddle, program, cwd):
    done = subprocess.run([heddle, "check", "--json", "--strategy=icb", "--bound=2", program], cwd=cwd,
                          text=True, capture_output=True, timeout=120)
    if not done.stdout.strip():
        raise SystemExit(f"heddle check {program}: {done.stderr}")
    document = json.loads(done.stdout)
    return document["verdict"], [finding["kind"] for finding in document["findings"]]


def expect(heddle, program, cwd, right):
    got = verdict(heddle, program, cwd)
    wanted = ("pass", []) if right else ("fail", ["assertion"])
    if got != wanted:
        raise SystemExit(f"{cwd}/{program} (right: {right}): {got}, expected {wanted}")
    print(f"{program} in {cwd}: {got[0]}")


def fresh(top, name, kind):
    tree = Path(top) / name
    shutil.copytree(HERE / kind, tree)
    shutil.copytree(HERE / "sources", tree / "sources")
    return tree


def cmake(heddle, top):
    home = os.path.dirname(heddle)
    ways = [("words", "Ninja", [], {"CC": "heddle cc", "CXX": "heddle c++"}),
            ("links", "Unix Makefiles", [], {"CC": "heddle-cc", "CXX": "heddle-c++"}),
            ("clang", "Ninja", [], {"CC": "heddle cc", "CXX": "heddle c++", "HEDDLE_CC": "clang",
                                    "HEDDLE_CXX": "clang++"})]
    if shutil.which("ccache"):
        launchers = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")]
        cached = {"CCACHE_DIR": f"{top}/cache"}
        ways += [("ccache", "Ninja", launchers, {"CC": "heddle-cc", "CXX": "heddle-c++", **cached}),
                 ("behind", "Ninja", [], {"CC": "heddle cc", "CXX": "heddle c++",
                                          "HEDDLE_CC": "ccache gcc", "HEDDLE_CXX": "ccache g++",
                                          **cached})]
    for name, generator, options, environment in ways:
        tree = fresh(top, name, "cmake")
        environment["PATH"] = home + ":" + os.environ["PATH"]
        for right in ("OFF", "ON") if name == "words" else ("OFF",):
            run(["cmake", "-S", ".", "-B", "build", "-G", generator, f"-DRIGHT={right}", *options], tree,
                **environment)
            run(["cmake", "--build", "build"], tree, **environment)
            expect(heddle, "build/shop", tree, right == "ON")


def autotools(heddle, top):
    if not shutil.which("autoreconf") or not shutil.which("libtoolize"):
        print("skipped: autoconf, automake and libtool are not installed")
        return SKIPPED
    home = os.path.dirname(heddle)
    path = home + ":" + os.environ["PATH"]
    tree = fresh(top, "autotools", "autotools")
    run(["autoreconf", "-i"], tree)
    build = tree / "build"
    build.mkdir()
    run(["../configure", "CC=heddle cc", "CXX=heddle c++"], build, PATH=path)
    for right in (False, True):
        run(["make", "clean"], build, PATH=path)
        run(["make", "-j2", f"CFLAGS={'-O1 -DSTOCK_IS_RIGHT' if right else '-O1'}"], build, PATH=path)
        # Before it is installed, a program of libtool's is a script around the real one.
        done = subprocess.run(["./libtool", "--mode=execute", heddle, "check", "--strategy=icb",
                               "--bound=2", "./shop"], cwd=build, capture_output=True, timeout=120)
        if done.returncode != (0 if right else 1):
            raise SystemExit(f"by libtool: {done}")
        run(["make", "install", f"DESTDIR={build}/installed"], build, PATH=path)
        os.environ["LD_LIBRARY_PATH"] = f"{build}/installed/usr/local/lib"
        expect(heddle, "installed/usr/local/bin/shop", build, right)


def make(heddle, top):
    path = os.path.dirname(heddle) + ":" + os.environ["PATH"]
    for right in (False, True):
        tree = fresh(top, f"make{right}", "make")
        flags = "-O2 -DSTOCK_IS_RIGHT" if right else "-O2"
        run(["make", "-j2", "CC=heddle cc", "CXX=heddle c++", f"CFLAGS={flags}"], tree, PATH=path)
        expect(heddle, "./shop", tree, right)
        expect(heddle, "./quick", tree, right)


def main():
    heddle, kind = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory(prefix="heddle-project-") as top:
        return {"cmake": cmake, "autotools": autotools, "make": make}[kind](heddle, top) or 0


if __name__ == "__main__":
    sys.exit(main())
