#!/usr/bin/env python3
"""How long `heddle prove` takes from a C file of 1,000 lines to its graph, LLVM's own time included.

    frontend.py HEDDLE

Prints the best of five runs, in seconds; the goal is less than one.
"""
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FUNCTIONS = 50
FUNCTION = """static int f{i}(int a, int b) {{
  int r = a;
  for (int i = 0; i < {rounds}; i++) {{
    if (r > b) {{
      pthread_mutex_lock(&m);
      v[{cell}] += r - b;
      pthread_mutex_unlock(&m);
    }} else if (r == {i}) {{
      r = r * 2 + 1;
    }} else {{
      r += b & {i};
    }}
    switch (r & 3) {{
      case 0: r ^= {i}; break;
      case 1: r += 3; break;
      default: r--; break;
    }}
  }}
  return r;
}}
"""


def source():
    text = "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int v[8];\n"
    text += "".join(FUNCTION.format(i=i, rounds=i % 3 + 1, cell=i % 8) for i in range(FUNCTIONS))
    text += "static void* work(void* p) {\n  int r = (int)(long)p;\n"
    text += "".join(f"  r = f{i}(r, {i});\n" for i in range(FUNCTIONS))
    text += "  return 0;\n}\nint main(void) {\n  pthread_t t[2];\n"
    for i in range(2):
        text += f"  pthread_create(&t[{i}], 0, work, (void*){i + 1}L);\n"
    return text + "  pthread_join(t[0], 0);\n  pthread_join(t[1], 0);\n  return 0;\n}\n"


def main():
    with tempfile.TemporaryDirectory() as top:
        file = Path(top) / "large.c"
        file.write_text(source())
        times = []
        for _ in range(5):
            begin = time.monotonic()
            subprocess.run([sys.argv[1], "prove", str(file), "--dump-graph"], check=True, stdout=subprocess.DEVNULL)
            times.append(time.monotonic() - begin)
        print(f"{len(source().splitlines())} lines: {min(times):.2f} s")


if __name__ == "__main__":
    main()
