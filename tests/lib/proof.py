# Compares the outcome of a proof as JSON with its TAP: `python3 proof.py JSON TAP`. Exit status 0
# if they say the same, else what differs is printed.
import json
import re
import sys

RESULTS = {"not ok": "failed", "ok": "passed", "skip": "skipped"}


def tap_points(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = re.match(r"(not ok|ok) (\d+) - (.*?)(?: \(\d+ runs\))?( # SKIP .*)?$", line)
            if found:
                kind = "skip" if found[4] else found[1]
                yield int(found[2]), found[3], RESULTS[kind]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        proof = json.load(file)
    expected = list(tap_points(sys.argv[2]))
    found = [(c["number"], c["text"], c["result"]) for c in proof["claims"]]
    problems = [f"{a} is {b}" for a, b in zip(expected, found) if a != b]
    if len(expected) != len(found) or proof["planned"] != len(found):
        problems.append(f"{len(found)} claims, planned {proof['planned']}, TAP {len(expected)}")
    for result in RESULTS.values():
        count = sum(c["result"] == result for c in proof["claims"])
        if proof[result] != count or count == 0:
            problems.append(f"{result}: {proof[result]}, counted {count}")
    for claim in proof["claims"]:
        wanted = {"claim", "plugin", "file", "runs", "seconds"}
        if claim["result"] == "failed":
            wanted |= {"reason", "looks_like", "repeat", "status", "first_bad_index"}
        problems += [f"{claim['number']} lacks {key}" for key in wanted - claim.keys()]
    print("\n".join(problems[:20]))
    return 1 if problems else 0


sys.exit(main())
