"""subprocess.run for tools that may go wrong without end: only the beginning of what they write to
standard error is kept, lest a runaway fill the memory."""
import subprocess
import tempfile

MOST_BYTES = 100_000


def run(command, **options):
    with tempfile.TemporaryFile() as kept:
        head = subprocess.Popen(["head", "-c", str(MOST_BYTES)], stdin=subprocess.PIPE, stdout=kept)
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=head.stdin, text=True, errors="replace", **options)
        finally:
            head.stdin.close()
            head.wait()
        kept.seek(0)
        done.stderr = kept.read().decode(errors="replace")
        return done
