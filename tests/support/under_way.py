"""A search that is under way: at least one of its executions has ended.

C programs call MARK's function where an execution ends, and tests wait for what it leaves behind, in
place of sleeping and hoping. Every execution makes the same calls, whatever is there.
"""
import time
from pathlib import Path

MARK = r"""
#include <stdio.h>
#include <sys/stat.h>
static void mark_execution(void) {
  rename("heddle-first", "heddle-more");
  mkdir("heddle-first", 0700);
}
"""


def wait_until_under_way(folder, process, seconds=60):
    """Until the second execution of the program, run in this folder, has come to its mark."""
    mark = Path(folder) / "heddle-more"
    end = time.monotonic() + seconds
    while not mark.exists():
        assert process.poll() is None, "the search has ended by itself"
        assert time.monotonic() < end, f"no second execution in {seconds} s"
        time.sleep(0.01)


def forget_marks(folder):
    for name in ("heddle-first", "heddle-more"):
        if (mark := Path(folder) / name).exists():
            mark.rmdir()
