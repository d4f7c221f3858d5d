"""gdb's view of a program under Heddle: its threads are fibers on one kernel thread.

    heddle threads         list the threads, and what each does next
    heddle thread N        look at thread N: its stack, its variables
    heddle restore         look at the thread that stopped again
    heddle next-step [N]   go on to the next step (the N-th next)
    heddle back [N]        go back a step, by running the program again up to there
    heddle until N         go to just before step N

Lines are those of the program: next and step go over what Heddle does in a call. A way back goes past breakpoints.
Frames of libheddle are left out of backtraces; bt -no-filters shows them. Each command can also be
written as one word: heddle-threads, heddle-thread, heddle-restore, heddle-step, heddle-back, heddle-run.

Started by `heddle replay --gdb`; reads the table heddle_debug_table of libheddle (its layout is in
src/runtime/executor/debugger.h).
"""
import struct

import gdb

HEADER = struct.Struct("<6Q")
THREAD = struct.Struct("<II4Q40s")
STATES = ("suspended", "running", "blocked", "not started")
# Where Boost.Context keeps the registers of a suspended flow (x86-64, System V).
CONTEXT = {"r12": 0x08, "r13": 0x10, "r14": 0x18, "r15": 0x20, "rbx": 0x28, "rbp": 0x30, "rip": 0x38}
CONTEXT_BYTES = 0x40
DYNAMIC_SYMBOLS, FUNCTION = 11, 2  # of ELF: SHT_DYNSYM, STT_FUNC


class Table:
    """A copy of the runtime's table."""

    def __init__(self):
        address = Table.address()
        memory = gdb.selected_inferior().read_memory(address, HEADER.size).tobytes()
        (self.version, self.stop_at, self.step, self.steps, self.current,
         count) = HEADER.unpack(memory)
        self.threads = []
        for i in range(count):
            at = address + HEADER.size + i * THREAD.size
            raw = gdb.selected_inferior().read_memory(at, THREAD.size).tobytes()
            self.threads.append(Thread(*THREAD.unpack(raw)))

    @staticmethod
    def address():
        return int(gdb.parse_and_eval("(long)&heddle_debug_table"))

    @staticmethod
    def set_stop(step):
        gdb.selected_inferior().write_memory(Table.address() + 8, struct.pack("<Q", step))


class Thread:
    def __init__(self, number, state, context, pointer, entry, thing, action):
        self.number, self.state, self.context, self.pointer = number, state, context, pointer
        self.entry, self.object = entry, thing
        self.action = action.split(b"\0")[0].decode()  # behind it may be what was longer

    def name(self):
        return "main" if self.number == 0 else symbol(self.entry) or "?"

    def next(self):
        text = self.action
        if self.object == 0 or text in ("starts", "ends", "yields", "sleeps", "exits the program"):
            return text
        if text in ("creates", "joins"):
            return f"{text} thread {self.object}"
        return f"{text} {symbol(self.object) or hex(self.object)}"


def symbol(address):
    """The name of what lies at an address, without the section; of a variable also which part."""
    text = gdb.execute(f"info symbol {address}", to_string=True)
    if text.startswith("No symbol"):
        return None
    name, _, offset = text.split(" in section")[0].partition(" + ")
    try:
        variable = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
        return name + part_of(variable.type, int(offset or 0))
    except (AttributeError, gdb.error, ValueError):
        return f"{name}+{offset}" if offset else name


def part_of(kind, offset):
    """`.lock` or `[2].lock`: what of a variable of this type begins so many bytes into it."""
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        size = kind.target().sizeof
        return f"[{offset // size}]" + part_of(kind.target(), offset % size)
    if kind.code == gdb.TYPE_CODE_STRUCT and not is_opaque(kind):
        for field in kind.fields():
            begin = field.bitpos // 8 if hasattr(field, "bitpos") else -1
            if 0 <= begin <= offset < begin + field.type.sizeof and field.name:
                return f".{field.name}" + part_of(field.type, offset - begin)
    return f"+{offset}" if offset else ""


def is_opaque(kind):
    """Whether it is the insides of a lock or an atomic, which nobody wants to see."""
    return (kind.tag or "").startswith(("__pthread", "std::"))


class Session:
    """What must be put back before the program goes on, and where it was seen last."""
    saved = None
    shown = None      # the number of the thread whose registers are in use
    position = None   # the step that is next or under way, when the program was last seen
    inside = False    # it is under way
    steps = 0
    stops = []
    going = False     # a command of ours lets the program run, and will say where it stopped

    @classmethod
    def restore(cls):
        if cls.saved is None:
            return
        gdb.execute("frame 0", to_string=True)
        for name, value in cls.saved.items():
            gdb.execute(f"set ${name} = {value}", to_string=True)
        cls.saved = cls.shown = None

    @classmethod
    def show(cls, thread):
        cls.restore()
        if thread.context != 0:
            gdb.execute("frame 0", to_string=True)
            names = [*CONTEXT, "rsp", "fs_base"]
            cls.saved = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in names}
            memory = gdb.selected_inferior().read_memory(thread.context, CONTEXT_BYTES).tobytes()
            values = {name: struct.unpack_from("<Q", memory, at)[0] for name, at in CONTEXT.items()}
            values["rsp"] = thread.context + CONTEXT_BYTES
            values["fs_base"] = thread.pointer
            for name, value in values.items():
                gdb.execute(f"set ${name} = {value}", to_string=True)
        cls.shown = thread.number

    @classmethod
    def notice(cls):
        """After a stop: remembers the position; False if the program is gone."""
        cls.saved = cls.shown = None
        if not alive():
            return False
        table = Table()
        cls.inside = not is_at_our_stop()
        cls.position, cls.steps = table.step - (1 if cls.inside else 0), table.steps
        return True


def is_at_our_stop():
    """The program has been stopped by its runtime, not by a breakpoint or a signal in between."""
    return gdb.newest_frame().name() == "heddle_debug_stop"


class Stop(gdb.Breakpoint):
    """Where the runtime stops the program. Not a breakpoint that a user should see."""

    def __init__(self, function):
        super().__init__(function, internal=True)
        self.silent = True

    def stop(self):
        """At the beginning only who wants to say where the next stop is to be."""
        return Session.going or "begin" not in self.location


def set_stops(event):
    if event.new_objfile.filename.endswith("/libheddle.so") and not Session.stops:
        Session.stops = [Stop("heddle_debug_begin"), Stop("heddle_debug_stop")]
        skip_intercepts(event.new_objfile.filename)


def skip_intercepts(library):
    """A step into a function that Heddle has taken the place of is a step over it, as it is in the C library."""
    for name in set(exported_functions(library)):
        gdb.execute(f"skip function {name}", to_string=True)


def exported_functions(library):
    """From the dynamic symbols of the library, which need no debug information."""
    with open(library, "rb") as file:
        image = file.read()
    at, size, count = struct.unpack_from("<Q", image, 40) + struct.unpack_from("<HH", image, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", image, at + size * i) for i in range(count)]
    for _, kind, _, _, begin, length, link, _, _, entry in sections:
        if kind != DYNAMIC_SYMBOLS:
            continue
        for offset in range(begin, begin + length, entry):
            name, info, _, section = struct.unpack_from("<IBBH", image, offset)
            if info & 15 == FUNCTION and section != 0:
                start = sections[link][4] + name
                yield image[start:image.index(b"\0", start)].decode()


def tell_stop(event):
    """After "continue" and its like, which know nothing of steps."""
    if not Session.going and isinstance(event, gdb.BreakpointEvent) and \
            any(stop in Session.stops for stop in event.breakpoints):
        report()


def alive():
    return gdb.selected_inferior().pid != 0


def own(frame):
    """In the program itself, with source lines that are not those of a system header."""
    library = gdb.solib_name(frame.pc()) or ""
    source = frame.find_sal().symtab
    return (source is not None and not source.fullname().startswith("/usr/")
            and not library.endswith("/libheddle.so") and not library.startswith(("/lib", "/usr/lib")))


class ProgramFrames:
    """A frame filter: backtraces without the frames of libheddle."""

    def __init__(self):
        self.name, self.priority, self.enabled = "heddle", 100, True
        gdb.frame_filters[self.name] = self

    @staticmethod
    def filter(frames):
        for frame in frames:
            library = gdb.solib_name(frame.inferior_frame().pc()) or ""
            if not library.endswith("/libheddle.so"):
                yield frame


def select_own_frame():
    frame = gdb.newest_frame()
    while frame is not None and not own(frame):
        frame = frame.older()
    if frame is not None:
        frame.select()
        gdb.execute("frame")


def place_of(table):
    if Session.inside:
        return f"in step {Session.position}"
    return f"before step {table.stop_at}" if table.stop_at == table.step else "at the end"


def report():
    """Where the program stands."""
    if not Session.notice():
        print("the program has ended; heddle back and heddle until start it again")
        return
    table = Table()
    thread = next((t for t in table.threads if t.number == table.current), None)
    is_at_step = Session.inside or table.stop_at == table.step
    print(f"[{place_of(table)} of {table.steps}]" +
          (f" thread {thread.number} ({thread.name()}) {thread.next()}" if thread and is_at_step
           else f" thread {table.current}"))
    if Session.inside:
        return  # gdb has said where
    if thread is not None and thread.state == 3:
        gdb.execute(f"info line *{thread.entry}")
    else:
        select_own_frame()


class Alone:
    """Within it the user's breakpoints are out of force: what is repeated has been seen before."""

    def __enter__(self):
        self.disabled = [b for b in gdb.breakpoints() if b.enabled and b.visible]
        for breakpoint in self.disabled:
            breakpoint.enabled = False

    def __exit__(self, *_):
        for breakpoint in self.disabled:
            if breakpoint.is_valid():
                breakpoint.enabled = True


def run_to(step):
    Table.set_stop(step)
    gdb.execute("continue", to_string=True)


def go(step):
    """To just before a step; forward in the running program, backward in a new one."""
    if Session.steps and step > Session.steps:
        step = 0  # to where the bug shows
    reached = Session.position is not None and (Session.position + 1 if Session.inside else Session.position)
    forward = alive() and Session.position is not None and (step == 0 or step >= reached)
    Session.restore()
    Session.going = True
    try:
        if forward:
            run_to(step)
        else:
            with Alone():
                gdb.execute("run < /dev/null", to_string=True)
                if alive():
                    run_to(step)
    except gdb.error as error:
        print(f"heddle: {error}")
        return None
    finally:
        Session.going = False
    return report()


class Return(gdb.Breakpoint):
    """Where a call of ours returns to `frame`, which may be one that was inlined."""

    def __init__(self, frame):
        super().__init__(f"*{frame.pc()}", internal=True, temporary=True)
        self.stack, self.silent = int(frame.read_register("rsp")), True

    def stop(self):
        return int(gdb.parse_and_eval("(unsigned long)$rsp")) == self.stack


def is_of_heddle(frame):
    return (gdb.solib_name(frame.pc()) or "").endswith("/libheddle.so")


def return_to_program(to_line):
    """The program stands inside a call of ours; what steps by lines begins behind that call, or, if it goes to the
    next line, ends there."""
    frame = gdb.newest_frame()
    if not is_of_heddle(frame):
        return
    table = Table()
    if is_at_our_stop() and table.stop_at != table.step:
        raise gdb.GdbError("the schedule ends here; heddle back goes a step back")
    while frame is not None and is_of_heddle(frame):
        frame = frame.older()
    line = frame.find_sal().line if frame is not None else 0
    thread = next((t for t in table.threads if t.number == table.current), None)
    if thread is not None and thread.state == 3:
        beginning = gdb.Breakpoint(f"*{thread.entry}", internal=True, temporary=True)
        beginning.silent = True
    elif frame is not None:
        Return(frame)
    else:  # the function of a thread has returned
        go(table.step + (1 if is_at_our_stop() else 0))
        raise gdb.GdbError("this thread has ended, and the program went on to the next step")
    Session.going = True
    try:
        gdb.execute("continue", to_string=True)
    finally:
        Session.going = False
    if not alive() or is_of_heddle(gdb.newest_frame()):
        report()
        raise gdb.GdbError("the program stopped before this call returned")
    place = gdb.newest_frame().find_sal()
    if to_line and place.pc == gdb.newest_frame().pc() and place.line != line:
        gdb.execute("frame")
        raise gdb.GdbError("the call has returned")  # the last one of its line: the next line is reached


def number(text, default=None):
    text = text.strip()
    if not text and default is not None:
        return default
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise gdb.GdbError("give a number, for example 3")
    return value


def current_position():
    if not (alive() and Session.notice()) and Session.position is None:
        raise gdb.GdbError("the program has not been run yet; use heddle until 1")
    return Session.position


class Threads(gdb.Command):
    """List the threads of the program and what each does next: heddle threads."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_STACK)

    def invoke(self, _argument, _from_tty):
        if not alive():
            raise gdb.GdbError("the program is not running; use heddle until N")
        table = Table()
        shown = Session.shown if Session.shown is not None else table.current
        for thread in table.threads:
            mark = "*" if thread.number == shown else " "
            print(f"{mark} {thread.number:3}  {thread.name():20} {STATES[thread.state]:12} "
                  f"next: {thread.next()}")


class ThreadCommand(gdb.Command):
    """Look at a thread of the program, its stack and its variables: heddle thread N."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_STACK)

    def invoke(self, argument, _from_tty):
        if not alive():
            raise gdb.GdbError("the program is not running; use heddle until N")
        wanted = number(argument)
        for thread in Table().threads:
            if thread.number != wanted:
                continue
            if thread.state == 3:
                raise gdb.GdbError(f"thread {wanted} has not started; it has no stack yet")
            Session.show(thread)
            print(f"thread {thread.number} ({thread.name()}), next: {thread.next()}")
            return select_own_frame()
        raise gdb.GdbError(f"there is no thread {wanted} now; see heddle threads")


class Step(gdb.Command):
    """Go on to the next step of the schedule, or the N-th next: heddle next-step [N]."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_RUNNING)

    def invoke(self, argument, _from_tty):
        if not alive():
            raise gdb.GdbError("the program has ended; heddle back and heddle until start it again")
        # Stopped before step p, `position` is p; at the end there is nothing to go on to.
        go(current_position() + number(argument, 1))


class Back(gdb.Command):
    """Go back a step of the schedule, or N steps, by running again: heddle back [N]."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_RUNNING)

    def invoke(self, argument, _from_tty):
        position = current_position() + (1 if Session.inside else 0)  # its beginning is behind us
        go(max(1, position - number(argument, 1)))


class Run(gdb.Command):
    """Go to just before step N of the schedule: heddle until N. Steps are counted from 1."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_RUNNING)

    def invoke(self, argument, _from_tty):
        go(max(1, number(argument)))


class Restore(gdb.Command):
    """Go back from heddle thread to the thread that stopped: heddle restore."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_STACK)

    def invoke(self, _argument, _from_tty):
        Session.restore()


class ReturnCommand(gdb.Command):
    """For the hooks of the commands that step by lines."""

    def __init__(self):
        super().__init__("heddle-return", gdb.COMMAND_RUNNING)

    def invoke(self, argument, _from_tty):
        Session.restore()
        if alive():
            return_to_program(argument == "line")


class Heddle(gdb.Command):
    """Commands on the schedule: heddle back, next-step, until STEP, threads, thread N, restore."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE, True)


Heddle()
ProgramFrames()
COMMANDS = {Threads: ("heddle-threads", "heddle threads"), ThreadCommand: ("heddle-thread", "heddle thread"),
            Step: ("heddle-step", "heddle next-step"), Back: ("heddle-back", "heddle back"),
            Run: ("heddle-run", "heddle until"), Restore: ("heddle-restore", "heddle restore")}
for command, names in COMMANDS.items():
    for name in names:
        command(name)
ReturnCommand()
gdb.events.new_objfile.connect(set_stops)
gdb.events.stop.connect(tell_stop)
# A thread that is only looked at must not be run, and lines of ours are not the program's.
HOOKS = {"continue": "heddle-restore", "stepi": "heddle-restore", "nexti": "heddle-restore",
         "step": "heddle-return line", "next": "heddle-return line", "finish": "heddle-return",
         "until": "heddle-return", "advance": "heddle-return"}
for verb, before in HOOKS.items():
    gdb.execute(f"define hook-{verb}\n{before}\nend", to_string=True)
