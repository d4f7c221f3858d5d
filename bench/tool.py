"""Builds the measured programs and runs them, plainly and under heddle."""

import json
import resource
import subprocess
import time
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent / "programs"


class Tool:
    def __init__(self, heddle, directory):
        self.heddle = str(heddle)
        self.directory = Path(directory)

    def plain(self, source, *flags):
        """The program as anybody would build it."""
        return self._build(["g++" if source.endswith(".cc") else "gcc"], "plain", source, flags)

    def instrumented(self, source, *flags):
        """The program as `heddle check SOURCE` builds it."""
        command = "c++" if source.endswith(".cc") else "cc"
        return self._build([self.heddle, command], "instrumented", source, flags)

    def _build(self, compiler, kind, source, flags):
        name = "-".join([Path(source).stem, kind, *flags]).replace("=", "")
        binary = self.directory / name
        if not binary.exists():
            subprocess.run([*compiler, "-O1", "-g", "-pthread", *flags, str(PROGRAMS / source),
                            "-o", str(binary)], check=True)
        return binary

    def check(self, program, *options, arguments=()):
        """One run of `heddle check`; the report as a dictionary."""
        return self._finish(self._start(program, options, arguments))

    def peak_memory(self, program, executions, *options):
        """Most kB ever resident, shared memory included, in the process of the tested program."""
        process = self._start(program, (f"--max-executions={executions}", *options), ())
        peak = 0
        while process.poll() is None:
            peak = max([peak, *map(_high_water, _children(process.pid))])
            time.sleep(0.01)
        if self._finish(process)["executions"] != executions:
            raise RuntimeError(f"{program} has fewer than {executions} executions")
        return peak

    def command_seconds(self, program, *options):
        """CPU time of a whole `heddle check` that finds bugs, report included."""
        def run():
            process = self._start(program, options, ())
            output, _ = process.communicate()
            if process.returncode != 1:
                raise RuntimeError(f"status {process.returncode} of {process.args}\n{output}")
        return _seconds_of(run)

    def _start(self, program, options, arguments):
        command = [self.heddle, "check", str(program), "--json", *options]
        if arguments:
            command += ["--", *map(str, arguments)]
        return subprocess.Popen(command, cwd=self.directory, stdout=subprocess.PIPE, text=True)

    def _finish(self, process):
        output, _ = process.communicate()
        if process.returncode not in (0, 3):  # 3: a limit ended the search
            raise RuntimeError(f"status {process.returncode} of {process.args}\n{output}")
        return json.loads(output)


def plain_seconds(binary, *arguments):
    """CPU time of the program run by itself."""
    return _seconds_of(lambda: subprocess.run([str(binary), *map(str, arguments)], check=True))


def _seconds_of(run):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _children(pid):
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []


def _high_water(pid):
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines()
                 if line.startswith("VmHWM:")), 0)
