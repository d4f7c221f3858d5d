#!/usr/bin/env python3
"""The rules of the architecture that a script can see.

Every room (src/ROOM) includes only itself and the rooms it depends on by CMakeLists.txt, directly
or through others; has a README.md; is named in ARCHITECTURE.md, which is two pages
long; and has no file of more than 600 lines. A room with LAYERS has no files but in these folders, and each includes only itself and those
named before it. The command line prints through cli/standard_output.h only. The dependencies have no cycle, neither those of rooms nor those of files: a header
and the source of the same name count as one.
"""
import re
import sys
from pathlib import Path

PRINTS = re.compile(r"fmt::print\(|std::(printf|puts|cout|cerr)\b|\b(fwrite|fputs|fprintf)\([^;]*std(out|err)\)")
MAX_LINES = 600
MAX_PICTURE_LINES = 145  # of ARCHITECTURE.md: two pages
SOURCE_SUFFIXES = {".cc", ".h", ".S", ".map", ".txt", ".md"}
ROOM = re.compile(r"^\s*heddle_room\((\w+)([^)]*)\)", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def declared_rooms(cmake_text):
    """Room -> (DEPENDS, TEST_DEPENDS), and room -> LAYERS, as CMakeLists.txt declares them."""
    rooms, layers = {}, {}
    for name, rest in ROOM.findall(cmake_text):
        lists = {"DEPENDS": [], "TEST_DEPENDS": [], "TEST_SHARDS": [], "LAYERS": []}
        current = None
        for word in rest.split():
            if word in lists:
                current = word
            else:
                lists[current].append(word)
        rooms[name] = (set(lists["DEPENDS"]), set(lists["TEST_DEPENDS"]))
        if lists["LAYERS"]:
            layers[name] = lists["LAYERS"]
    return rooms, layers


def reachable(rooms, start):
    """All rooms below `start`, itself included."""
    seen, todo = set(), [start]
    while todo:
        room = todo.pop()
        if room not in seen:
            seen.add(room)
            todo.extend(rooms.get(room, (set(), set()))[0])
    return seen


def check_rooms(root, rooms):
    present = {d.name for d in (root / "src").iterdir() if d.is_dir()}
    for room in sorted(present - rooms.keys()):
        yield f"src/{room} is not declared with heddle_room() in CMakeLists.txt"
    for room in sorted(rooms.keys() - present):
        yield f"room {room} is declared in CMakeLists.txt but src/{room} does not exist"
    for room, (depends, test_depends) in rooms.items():
        for other in sorted((depends | test_depends) - rooms.keys()):
            yield f"room {room} depends on {other}, which is no room"
        if any(room in reachable(rooms, other) for other in depends):
            yield f"room {room} depends on itself through others"
        if not (root / "src" / room / "README.md").is_file():
            yield f"src/{room} has no README.md"


def check_includes(root, rooms):
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".cc", ".h"}:
            continue
        room = path.relative_to(root / "src").parts[0]
        allowed = reachable(rooms, room)
        if path.name.endswith("_test.cc"):
            for other in rooms.get(room, (set(), set()))[1]:
                allowed |= reachable(rooms, other)
        for included in INCLUDE.findall(path.read_text()):
            where = f"{path.relative_to(root)} includes \"{included}\""
            target = included.split("/")[0]
            if not (root / "src" / included).is_file():
                yield f"{where}, which is not a path below src/"
            elif target not in allowed:
                yield f"{where}, but room {room} does not depend on {target}"


def check_layers(root, layers):
    for room, order in layers.items():
        top = root / "src" / room
        present = {d.name for d in top.iterdir() if d.is_dir()}
        for name in sorted(present ^ set(order)):
            yield f"src/{room}/{name} is a folder or a layer in CMakeLists.txt, but not both"
        for name in order:
            if not (top / name / "README.md").is_file():
                yield f"src/{room}/{name} has no README.md"
        for path in sorted(top.rglob("*")):
            if path.suffix not in {".cc", ".h"}:
                continue
            where = path.relative_to(root)
            layer = path.relative_to(top).parts[0]
            if layer not in order:
                yield f"{where} is in none of the layers of {room}"
                continue
            for included in INCLUDE.findall(path.read_text()):
                parts = included.split("/")
                if parts[0] == room and parts[1] in order and \
                        order.index(parts[1]) > order.index(layer):
                    yield f"{where} includes \"{included}\", but {parts[1]} lies above {layer}"


def module_of(path):
    """A header and the source of the same name are one module."""
    return re.sub(r"\.(cc|h)$", "", path)


def check_cycles(root):
    """No module includes itself through others."""
    graph = {}
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in {".cc", ".h"} and not path.name.endswith("_test.cc"):
            module = module_of(str(path.relative_to(root / "src")))
            graph.setdefault(module, set()).update(
                other for other in map(module_of, INCLUDE.findall(path.read_text()))
                if other != module)
    on_path, done = [], set()

    def visit(module):
        if module in on_path:
            yield "cycle of includes: " + " → ".join([*on_path[on_path.index(module):], module])
        elif module not in done:
            on_path.append(module)
            for other in sorted(graph.get(module, ())):
                yield from visit(other)
            on_path.pop()
            done.add(module)

    for module in sorted(graph):
        yield from visit(module)


def check_output(root):
    """What is printed goes one way, where a full disk ends nothing and is told."""
    for room in ("cli", "prove"):
        for path in sorted((root / "src" / room).rglob("*.cc")):
            if path.name not in {"standard_output.cc"} and not path.name.endswith("_test.cc") and \
                    PRINTS.search(path.read_text()):
                yield f"{path.relative_to(root)} prints past cli/standard_output.h"


def check_sizes(root):
    for path in sorted((root / "src").rglob("*")):
        if path.is_file() and path.suffix in SOURCE_SUFFIXES:
            lines = len(path.read_text().splitlines())
            if lines > MAX_LINES:
                yield f"{path.relative_to(root)} has {lines} lines; the limit is {MAX_LINES}"


def check_picture(root, rooms):
    picture = root / "ARCHITECTURE.md"
    if not picture.is_file():
        yield "ARCHITECTURE.md is missing"
        return
    lines = len(picture.read_text().splitlines())
    if lines > MAX_PICTURE_LINES:
        yield f"ARCHITECTURE.md has {lines} lines; the limit is {MAX_PICTURE_LINES}: the rest belongs to the rooms"
    words = set(re.findall(r"[\w-]+", picture.read_text()))
    for room in rooms:
        if room not in words:
            yield f"ARCHITECTURE.md does not name the room {room}"


def main():
    root = Path(sys.argv[1]).resolve()
    rooms, layers = declared_rooms((root / "CMakeLists.txt").read_text())
    complaints = [*check_rooms(root, rooms), *check_includes(root, rooms),
                  *check_layers(root, layers), *check_cycles(root), *check_sizes(root),
                  *check_picture(root, rooms), *check_output(root)]
    for complaint in complaints:
        print(complaint)
    print(f"{len(rooms)} rooms, {len(complaints)} complaints")
    return 1 if complaints or not rooms else 0


if __name__ == "__main__":
    sys.exit(main())
