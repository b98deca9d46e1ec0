"""The claims of data_is_golden.t; see there. usage: data_is_golden.py [--write] ROOT"""
import difflib
import glob
import hashlib
import os
import re
import sys

SMALL = {  # the data of these as they are, in tests/page/golden
    "cpu": ["tests/page/cpu.csv"],
    "parts": ["reports/h200-x2/parts_1.csv", "reports/h200-x2/parts_2.csv"],
}


def data_of(paths):
    """The data of the page of these CSVs, but for the day."""
    from scanbench_results import claims, page, recipe, report, rows, run_info

    of = report.make_report([rows.read(path) for path in paths], [run_info.read(path) for path in paths])
    judged = claims.judge(of, recipe.read_recipes("reports/recipes"))
    return re.sub('"made":"[^"]*"', '"made":""', page.page_data(of, judged, "", ""), count=1)


def golden():
    """{file: its text}"""
    found = {f"{name}.json": data_of(paths) for name, paths in SMALL.items()}
    hashes = [(path, hashlib.sha256(data_of([path]).encode()).hexdigest()) for path in sorted(glob.glob("reports/*/*.csv"))]
    found["hashes.txt"] = "".join(f"{digest}  {path}\n" for path, digest in hashes)
    return found


def main():
    write = "--write" in sys.argv
    os.chdir(sys.argv[-1])
    sys.dont_write_bytecode = True
    sys.path.insert(0, "reports")
    texts = golden()
    if write:
        for name, text in texts.items():
            with open(f"tests/page/golden/{name}", "w") as file:
                file.write(text)
        return
    print(f"TAP version 13\n1..{len(texts)}")
    for number, (name, text) in enumerate(texts.items(), 1):
        with open(f"tests/page/golden/{name}") as file:
            expected = file.read()
        print(f"{'ok' if text == expected else 'not ok'} {number} - {name} is as it was (tests/page/data_is_golden.t --write writes it anew)")
        changes = difflib.unified_diff(expected.splitlines(), text.splitlines(), "golden", "now", n=0, lineterm="")
        for line in list(changes)[:12]:
            print("# " + line[:200])


main()
