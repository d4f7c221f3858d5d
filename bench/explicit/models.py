"""Models for bench/explicit/run, as program graphs and, where SPIN runs too, in Promela."""

FILE_SYSTEM_BLOCKS = 26
FILE_SYSTEM_INODES = 32


def file_system_graph(threads):
    """Figure 7 of Flanagan and Godefroid, "Dynamic partial-order reduction": each thread makes a
    file: it takes its inode's lock, looks for a free block, and notes it."""
    blocks, inodes = FILE_SYSTEM_BLOCKS, FILE_SYSTEM_INODES
    used = min(threads, inodes)
    lines = [f"program file_system", f"threads {threads + 1}",
             f"object locki global {8 * used} {{"]
    lines += [f'  "[{i}]": mutex at {8 * i}' for i in range(used)]
    lines += ["}", f"object lockb global {8 * blocks} {{"]
    lines += [f'  "[{b}]": mutex at {8 * b}' for b in range(blocks)]
    lines += ["}", f"array inode: 8 [{used}]", f"array busy: 1 [{blocks}]", "routine main() {",
              "  reg " + ", ".join(f"t{t}: 64" for t in range(threads))]
    lines += [f"  t{t} = create thread{t}" for t in range(threads)]
    lines += [f"  join t{t}" for t in range(threads)] + ["  exit", "}"]
    for t in range(threads):
        i = t % inodes
        lines += [f"routine thread{t}() {{", "  reg b: 8, v: 8, taken: 1",
                  f"  mutex-lock locki[{i}]", f"  v = load inode[{i}]", "  if v != 0 goto done",
                  f"  b = {i * 2 % blocks}", "search:",
                  "  mutex-lock [&lockb[0] + zext(b, 64) * 8]",
                  "  taken = load [&busy[0] + zext(b, 64)]", "  if taken goto busy",
                  "  store [&busy[0] + zext(b, 64)], 1:1", f"  store inode[{i}], b + 1",
                  "  mutex-unlock [&lockb[0] + zext(b, 64) * 8]", "  goto done", "busy:",
                  "  mutex-unlock [&lockb[0] + zext(b, 64) * 8]",
                  f"  b = (b + 1) %u {blocks}", "  goto search", "done:",
                  f"  mutex-unlock locki[{i}]", "  return", "}"]
    return "\n".join(lines) + "\n"


def file_system_promela(threads):
    """The same, with the same steps: a lock, an access, an unlock each."""
    blocks, inodes = FILE_SYSTEM_BLOCKS, FILE_SYSTEM_INODES
    used = min(threads, inodes)
    return f"""
#define lock(m) atomic {{ (m == 0) -> m = 1 }}
bit locki[{used}]; bit lockb[{blocks}]; byte inode[{used}]; bit busy[{blocks}];
proctype file(byte i) {{
  byte b; byte v; bit taken;
  lock(locki[i]);
  v = inode[i];
  if
  :: v != 0 -> skip
  :: else ->
     d_step {{ b = (i * 2) % {blocks}; v = 0 }}
     do
     :: lock(lockb[b]);
        taken = busy[b];
        if
        :: taken -> atomic {{ lockb[b] = 0; b = (b + 1) % {blocks} }}
        :: else -> busy[b] = 1; inode[i] = b + 1; lockb[b] = 0; break
        fi
     od
  fi;
  locki[i] = 0
}}
init {{ atomic {{ {" ".join(f"run file({t});" for t in range(threads))} }} }}
"""


def critical_sections_graph(threads, locks):
    """Each thread goes through all critical sections, beginning with a different one; every lock
    has a counter. At the end the first thread looks at a counter without its lock."""
    lines = ["program sections", f"threads {threads + 1}"]
    lines += [f"mutex m{k}" for k in range(locks)] + [f"global x{k}: 8" for k in range(locks)]
    lines += ["routine main() {", "  reg " + ", ".join(f"t{t}: 64" for t in range(threads))]
    lines += [f"  t{t} = create thread{t}" for t in range(threads)]
    lines += [f"  join t{t}" for t in range(threads)] + ["  exit", "}"]
    for t in range(threads):
        lines += [f"routine thread{t}() {{", "  reg r: 8"]
        for i in range(locks):
            k = (t + i) % locks
            lines += [f"  mutex-lock m{k}", f"  r = load x{k}", f"  store x{k}, r + 1",
                      f"  r = load x{k}", f"  store x{k}, r + 1", f"  mutex-unlock m{k}"]
        lines += ["  r = load x0"] if t == 0 else []
        lines += ["  return", "}"]
    return "\n".join(lines) + "\n"
