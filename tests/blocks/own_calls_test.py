#!/usr/bin/env python3
"""libheddle's own calls must not go where a program's definitions, or our own for the program, could catch them.

    own_calls_test.py LIBRARY

Every symbol that the dynamic linker binds in libheddle.so is looked at: what it calls of the C library goes through
runtime/guest/own_calls.h, apart from the few that nobody redefines.
"""
import re
import subprocess
import sys

ALLOWED = re.compile("|".join([
    r"environ|__environ|stdout|stderr|program_invocation_short_name|__progname|__libc_single_threaded",  # data
    r"dlsym|dlvsym|_dl_find_object|__tls_get_addr|__errno_location|__libc_\w+|__pthread_key_create",  # libc's own names
    r"_ITM_\w+|_ZGTt\w+|__gmon_start__|__cxa_\w+",  # of the compiler
    r"malloc|calloc|realloc|free|_Zn[wa]\w+|_Zd[la]\w+",  # a program may bring its own, and then means these
    r"_ZNSt13random_device9_M_getvalEv|heddle_\w+",
]))


def main():
    text = subprocess.run(["readelf", "-rW", sys.argv[1]], check=True, capture_output=True, text=True).stdout
    names = {fields[4].split("@")[0] for fields in map(str.split, text.splitlines())
             if len(fields) > 4 and re.match(r"R_X86_64_(JUMP_SLO|GLOB_DAT|64|COPY)", fields[2])}
    if "dlsym" not in names:
        sys.exit("the relocations are not what they used to be")
    bad = sorted(name for name in names if not ALLOWED.fullmatch(name))
    print("\n".join(f"{name}: add it to runtime/guest/own_calls.h" for name in bad) or "all calls of our own are safe")
    sys.exit(len(bad) > 0)


main()
