#!/usr/bin/env python3
"""Random changes to what the kernel keeps for a process: no execution may see those of another one.

    process_state_test.py HEDDLE [NUMBER [FIRST_SEED]]

process_state.c compares the state that each execution begins with to that of the first one. Every
seed is checked with both isolations; the verdict is pass, and there were several executions.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support")]
import capped  # noqa: E402
import scale  # noqa: E402


def main():
    heddle = Path(sys.argv[1]).resolve()
    number = int(sys.argv[2]) if len(sys.argv) > 2 else scale.programs(20)
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failures = 0
    with tempfile.TemporaryDirectory(prefix="heddle-test-") as folder:
        program = f"{folder}/program"
        subprocess.run(["gcc", "-g", "-O1", "-pthread", "-w", str(HERE / "process_state.c"), "-o", program],
                       check=True)
        inherited = Path(folder) / "inherited"
        inherited.write_text("0123456789" * 10)
        for seed in range(first, first + number):
            for isolation in ("reset", "fork"):
                state = Path(folder) / "state"
                state.unlink(missing_ok=True)
                command = [str(heddle), "check", program, "--json", "--strategy=dfs", f"--isolation={isolation}",
                           "--max-executions=60", f"--trace-dir={folder}", "--", str(seed), str(state)]
                # The shell gives the program a third descriptor.
                done = capped.run(["sh", "-c", f'"$@" 3<{inherited}', "sh", *command], timeout=120)
                result = json.loads(done.stdout) if done.stdout else {"executions": 0, "findings": []}
                if done.returncode in (0, 3) and result["executions"] > 1 and not result["findings"]:
                    continue
                failures += 1
                print(f"seed {seed}, {isolation}: status {done.returncode}, {result['executions']} executions\n"
                      f"{done.stderr}")
                for finding in result["findings"]:
                    print(finding.get("message"), finding.get("output"))
    print(f"{2 * number - failures} passed, {failures} failed")
    sys.exit(failures > 0)


main()
