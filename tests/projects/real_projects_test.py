#!/usr/bin/env python3
"""Libraries of others, built by their own build systems with heddle as the compiler; their own tests
of threads run under Heddle.

    real_projects_test.py HEDDLE DIRECTORY PROJECT

The source is taken from DIRECTORY or, if it is not there yet, from the Debian mirror that the machine
uses. Where that does not work the test is skipped.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77


class NotThere(Exception):
    pass


def run(command, cwd, timeout=240, **environment):
    done = subprocess.run(command, cwd=cwd, env={**os.environ, **environment}, text=True,
                          timeout=timeout, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise SystemExit(f"{command} failed in {cwd}:\n{done.stdout[-4000:]}")
    return done.stdout


def apt(state, *words):
    options = {"Dir::Etc::sourcelist": f"{state}/sources.sources", "Dir::Etc::sourceparts": "/dev/null",
               "Dir::State::lists": f"{state}/lists", "Dir::Cache": f"{state}/cache",
               "APT::Sandbox::User": "", "Acquire::Retries": "1", "Acquire::http::Timeout": "10"}
    command = ["apt-get", "-q"] + [f"-o{key}={value}" for key, value in options.items()] + list(words)
    done = subprocess.run(command, cwd=state, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise NotThere(f"{' '.join(words)}: {done.stderr.strip().splitlines()[-1:]}")


def fetch(package, directory):
    """The archive with the source as its authors published it."""
    directory.mkdir(parents=True, exist_ok=True)
    if found := sorted(directory.glob(f"{package}_*.orig.tar.*[!c]")):
        return found[-1]
    listed = Path("/etc/apt/sources.list.d/debian.sources")
    if not shutil.which("apt-get") or not listed.is_file():
        raise NotThere("no Debian mirror is set up")
    with tempfile.TemporaryDirectory(prefix="heddle-apt-") as state:
        for name in ("lists/partial", "cache/archives/partial"):
            os.makedirs(f"{state}/{name}")
        Path(f"{state}/sources.sources").write_text(
            listed.read_text().replace("Types: deb\n", "Types: deb-src\n"))
        try:
            apt(state, "update")
            apt(state, "source", "--download-only", package)
        except subprocess.TimeoutExpired as late:
            raise NotThere("the mirror does not answer") from late
        for archive in Path(state).glob(f"{package}_*.orig.tar.*[!c]"):
            shutil.copy(archive, directory)
    return fetch(package, directory)


def unpack(archive, top):
    run(["tar", "xf", str(archive)], top)
    return next(path for path in Path(top).iterdir() if path.is_dir())


def check(heddle, program, cwd, verdict, options, arguments=(), kinds=(), ended=None,
          **environment):
    """A search of the program, which must end as said and must really have run threads."""
    command = [heddle, "check", "--json", *options, program, *(["--", *arguments] if arguments else [])]
    done = subprocess.run(command, cwd=cwd, env={**os.environ, **environment}, capture_output=True,
                          text=True, timeout=120)
    if not done.stdout.strip():
        raise SystemExit(f"{command}: {done.stderr[-2000:]}")
    document = json.loads(done.stdout)
    found = [finding["kind"] for finding in document["findings"]]
    if ended not in (None, document["end_reason"]):
        raise SystemExit(f"{command}: ended by {document['end_reason']}, expected {ended}")
    if document["verdict"] not in verdict.split("|") or found != list(kinds) or document["events"] == 0:
        raise SystemExit(f"{command}: {document['verdict']} {found} after {document['events']} steps, "
                         f"expected {verdict} {list(kinds)}\n{done.stdout[:3000]}")
    print(f"{os.path.basename(program)} {' '.join(arguments)}: {verdict}, {document['executions']} "
          f"executions, {document['events']} steps")


def zstd(heddle, tree):
    """Plain make. The pool of threads that compresses in parallel."""
    run(["make", "CC=heddle cc", "poolTests"], tree / "tests")
    check(heddle, "./poolTests", tree / "tests", "unknown", ["--strategy=pct", "--max-executions=200"])
    # The last but one of its tests hopes that sleeping threads overlap; if they do not, it destroys
    # the mutex that it holds.
    check(heddle, "./poolTests", tree / "tests", "fail",
          ["--strategy=random", "--max-executions=2000", "--seed=1"], kinds=["mutex-misuse"])


def ck(heddle, tree):
    """A configure script of its own, which wants the compiler to be one word; a shared library.

    Its loads and stores are volatile accesses, hence --visible=all; it never frees its threads' array.
    """
    flags = "-g -O1 -DITERATE=1 -DITERATIONS=2 -DENTRIES=2 -DCK_USE_CC_BUILTINS"
    run(["./configure", "--use-cc-builtins", "--cores=2"], tree, CC="heddle-cc", CFLAGS=flags)
    run(["make", "-j2"], tree)
    locks = tree / "regressions/ck_spinlock/validate"
    names = ["ck_ticket", "ck_mcs", "ck_dec", "ck_cas", "ck_fas", "ck_clh", "ck_anderson", "ck_spinlock"]
    run(["make", "-j2", *names], locks)
    for name in names:
        check(heddle, f"./{name}", locks, "pass",
              ["--visible=all", "--races=off", "--leaks=off", "--strategy=icb", "--bound=1"], ["2", "1"])


def libuv(heddle, tree):
    """CMake and Ninja. Its wrappers of everything in pthreads, its pool, and its event loop, which
    waits in epoll and is woken through a descriptor."""
    build = tree / "build"
    run(["cmake", "-G", "Ninja", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=None",
         "-DCMAKE_C_FLAGS=-O1"], tree, CC="heddle cc")
    run(["cmake", "--build", "build", "--target", "uv_run_tests_a"], tree, timeout=600)
    def one(name, verdict, *options, kinds=(), ended=None):
        check(heddle, "./uv_run_tests_a", build, verdict, options, [name, name], kinds, ended,
              UV_RUN_AS_ROOT="1")

    complete = ("--strategy=icb", "--bound=1", "--timeouts=last")
    for name in ("semaphore_2", "condvar_1", "condvar_2", "condvar_3", "condvar_4", "condvar_5",
                 "barrier_1", "barrier_2", "barrier_3", "thread_create", "thread_equal",
                 "thread_local_storage", "thread_rwlock_trylock", "async", "async_null_cb"):
        # All of it is searched, but libuv's compare-and-swap is inline assembly, which nobody sees:
        # undecided where there is more than one thread.
        one(name, "pass|unknown", *complete, ended="exhausted")
    for name in ("barrier_serial_thread", "threadpool_queue_work_simple", "threadpool_cancel_work",
                 "threadpool_cancel_single", "threadpool_cancel_random"):
        one(name, "unknown", "--strategy=pct", "--max-executions=500", "--timeouts=last")
    # A sleep of a tenth of a second does not say that the other thread has come so far, and a wait of
    # that length may be over before the signal comes.
    one("semaphore_1", "fail", *complete, kinds=["abort"])
    one("condvar_3", "fail", "--strategy=icb", kinds=["abort"])


PROJECTS = {"zstd": ("libzstd", zstd), "ck": ("ck", ck), "libuv": ("libuv1", libuv)}


def main():
    heddle, directory, project = os.path.abspath(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    os.environ["PATH"] = os.path.dirname(heddle) + ":" + os.environ["PATH"]
    package, test = PROJECTS[project]
    try:
        archive = fetch(package, directory)
    except NotThere as reason:
        print(f"skipped: the source package {package} cannot be had ({reason})")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="heddle-project-") as top:
        test(heddle, unpack(archive, top))
    return 0


if __name__ == "__main__":
    sys.exit(main())
