"""Starts the package for `scanbench report`, `compare` and `submit`.

Run as a file with python3 -I: neither the working folder, nor PYTHONPATH, nor packages of the user
can stand in for the package, which is the folder that this file lies in. Without a verb it only
looks whether everything can be imported. Written so that Python 3.4 can read it, and be refused.
"""

import os
import signal
import sys


def fail(text: str) -> None:
    """Says what is missing, and ends with the exit status of a usage error."""
    sys.stderr.write("scanbench: report, compare and submit need " + text + "\n")
    sys.exit(2)


if __name__ == "__main__":
    # Ctrl-C and a reader that closed the pipe end it as they end any program: without a word.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if sys.version_info < (3, 9):
        fail("Python 3.9 or later, and python3 is %d.%d" % sys.version_info[:2])
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    try:
        from scanbench_results.__main__ import main
    except ImportError as error:
        fail("what is not installed: %s; apt install python3" % error)
    if len(sys.argv) > 1:
        sys.exit(main(sys.argv[1:]))
