#!/usr/bin/env python3
"""Installs Heddle into a fresh prefix and lets a small project find, build against and run it, also
where it was built."""
import subprocess
import sys
import tempfile


def run(*command):
    print("+", *command, flush=True)
    subprocess.run(command, check=True)


def main():
    cmake, build, consumer = sys.argv[1:]
    ctest = cmake.removesuffix("cmake") + "ctest"
    with tempfile.TemporaryDirectory(prefix="heddle-install-") as top:
        prefix = f"{top}/prefix with a space"
        run(cmake, "--install", build, "--prefix", prefix)
        for stripped in ("bin/heddle", "lib/libheddle.so"):
            sections = subprocess.run(["readelf", "-S", "-W", f"{prefix}/{stripped}"], capture_output=True,
                                      text=True, check=True).stdout
            assert ".debug_info" not in sections and ".gnu_debuglink" in sections, f"{stripped} is not stripped"
        places = (("installed", f"-DCMAKE_PREFIX_PATH={prefix}"), ("built", f"-Dheddle_DIR={build}"))
        for compiler in (("gcc", "g++"), ("clang", "clang++")):
            for name, place in places:
                tree = f"{top}/{compiler[0]}-{name}"
                run(cmake, "-S", consumer, "-B", tree, "-G", "Ninja", place,
                    f"-DCMAKE_C_COMPILER={compiler[0]}", f"-DCMAKE_CXX_COMPILER={compiler[1]}")
                run(cmake, "--build", tree)
                run(ctest, "--test-dir", tree, "--output-on-failure", "--no-tests=error")
                listed = subprocess.run([ctest, "--test-dir", tree, "-N", "-L", "discovered"],
                                        capture_output=True, text=True, check=True).stdout
                assert "heddle.Counter.AddsUp" in listed and "Total Tests: 2" in listed, listed
                if name == "built":
                    assert f"{build}/src/cli/heddle" in open(f"{tree}/CTestTestfile.cmake").read()


if __name__ == "__main__":
    main()
