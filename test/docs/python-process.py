"""Runs the programs it receives, one JSON object per line, and answers with what they print."""

import contextlib
import io
import json
import os
import sys
import traceback

for line in sys.stdin:
    task = json.loads(line)
    os.environ.update(task["environment"])
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(task["code"], "example.py", "exec"), {"__name__": "__main__"})
        outcome = {"output": output.getvalue()}
    except Exception:
        outcome = {"error": traceback.format_exc()}
    print(json.dumps(outcome), flush=True)
