# Do two runs hold the same? `python3 whole.py ROWS SAMPLES OTHER_ROWS OTHER_SAMPLES`: exit status 0 if
# the files have rows of the same configurations and phases, each row as many samples as it says, and
# the metadata describes every run that has rows.
import collections
import csv
import json
import sys

KEY = "plugin device kind op dtype n block vt params cache phase".split()


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def key_of(row):
    return tuple(row[column] for column in KEY)


def problems(rows, samples, name):
    found = collections.Counter(key_of(s) + (s["run_id"],) for s in samples)
    indices = {key_of(s) + (s["index"],) for s in samples}
    if len(indices) != len(samples):
        yield f"{name}: {len(samples) - len(indices)} samples twice"
    for row in rows:
        if row["status"] == "ok" and found.pop(key_of(row) + (row["run_id"],), 0) != int(row["samples"]):
            yield f"{name}: {key_of(row)}: other than {row['samples']} samples"
    for key in found:
        yield f"{name}: samples without a row: {key}"


def undescribed(rows, path):
    with open(path + "-metadata.json", encoding="utf-8") as file:
        described = {run["run_id"] for run in json.load(file)["notes"]}
    for run in {row["run_id"] for row in rows} - described:
        yield f"{path}: the metadata does not describe {run}"


def main():
    whole, whole_samples, rows, samples = (read(path) for path in sys.argv[1:])
    found = list(problems(whole, whole_samples, sys.argv[2])) + list(problems(rows, samples, sys.argv[4]))
    found += undescribed(rows, sys.argv[3])
    wanted = collections.Counter(key_of(row) for row in whole)
    got = collections.Counter(key_of(row) for row in rows)
    found += [f"lacks {key}" for key in wanted - got] + [f"has besides {key}" for key in got - wanted]
    print("\n".join(found[:20]))
    return 1 if found else 0


sys.exit(main())
