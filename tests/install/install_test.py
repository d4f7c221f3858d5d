#!/usr/bin/env python3
"""Installs Heddle into a fresh prefix and lets a small project find, build against and run it."""
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
        for compiler in (("gcc", "g++"), ("clang", "clang++")):
            tree = f"{top}/{compiler[0]}"
            run(cmake, "-S", consumer, "-B", tree, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
                f"-DCMAKE_C_COMPILER={compiler[0]}", f"-DCMAKE_CXX_COMPILER={compiler[1]}")
            run(cmake, "--build", tree)
            run(ctest, "--test-dir", tree, "--output-on-failure", "--no-tests=error")


if __name__ == "__main__":
    main()
