"""How many random programs a test tries: all of them with HEDDLE_TESTS=all (.ci/run), else a part,
which is what somebody waits for after each change. Seeds are counted on from the first, so the few are
the first of the many."""
import os

PART = 3


def everything():
    return os.environ.get("HEDDLE_TESTS") in ("all", "night")


def programs(number):
    return number if everything() else max(1, number // PART)
