# The exercises of docs/scans.md: `python3 exercises.py ROOT COMMAND`.
#
# check [COPY]     each step has one; what each changes stands once in the file that it names; a command and an answer
#                  follow; times in answers are those of docs/examples/exercises. COPY is read instead of the page
# list             the number of each whose command needs no GPU and compares no times, and the target to build for it
# apply N FOLDER   changes the file in a copy of the tree, and prints the command
# undo N FOLDER    takes the file from ROOT again
# answers N FILE   the lines of the answer are in the file, which has what the command printed
#
# Prints what is not so; exit status 0 if all is.
import json
import os
import re
import shutil
import sys

root, command, *rest = sys.argv[1:]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(root, "reports"))
from scanbench_results.words import change_text  # noqa: E402

EXERCISE = re.compile(
    r"^\*\*Exercise\.\*\* In `(?P<file>[^`]+)` change\s`(?P<old>[^`]+)`\s?to\s`(?P<new>[^`]+)`(?P<text>.*?)\n"
    r"<details><summary>Answer</summary>\n\n(?P<answer>.*?)^</details>$",
    re.M | re.S,
)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


page = read(rest[0] if command == "check" and rest else os.path.join(root, "docs/scans.md"))
exercises = list(EXERCISE.finditer(page))


def command_of(exercise):
    found = re.findall(r"`(build/[^`]+)`", exercise["text"])
    return found[0] if len(found) == 1 else None


def lines_of(exercise):
    """What the answer shows of the command's output."""
    return [line.strip() for line in re.findall(r"^    (.*)$", exercise["answer"], re.M)]


def target_of(exercise):
    """None: its command compares times, or needs a GPU."""
    words = command_of(exercise).split()
    if words[0].startswith("build/tests/"):
        return re.fullmatch(r"build/tests/plugin_(\w+)\.t", words[0])[1] + "_test"
    if words[:2] == ["build/scanbench", "validate"]:
        return f"plugin_{words[2]}"
    return f"plugin_{words[1]}" if words[0] == "build/check-kernels" else None


def name_of(exercise):
    """Of a comparison of times: the plugin."""
    found = re.fullmatch(r"build/scanbench compare --in-run before\.so build/plugins/(\w+)\.so .*", command_of(exercise))
    return found and found[1]


def steps_of():
    """The headings of the steps, each with its text up to the next heading."""
    parts = re.split(r"^(##+ .*)$", page, flags=re.M)[1:]
    chapter = ""
    for heading, text in zip(parts[::2], parts[1::2]):
        chapter = heading if heading.startswith("## ") else chapter
        if heading == "## The serial loop" or (heading.startswith("### ") and chapter.startswith("## On a ")):
            yield heading, text


def times_are_measured(exercise):
    """Each line of a comparison is that of the committed outcome of it: number of elements, change and interval."""
    name = name_of(exercise)
    path = os.path.join(root, f"docs/examples/exercises/{name}.json")
    if not os.path.exists(path):
        yield f"there is no {path}"
        return
    pairs = json.loads(read(path))["pairs"]
    expected = []
    for pair in pairs:
        change, low, high = (change_text(pair[key]) for key in ("ratio", "lo", "hi"))
        expected.append((float(pair["n"]), change, low, high, pair["verdict"]))
    told = []
    for line in lines_of(exercise):
        words = re.split(" +(?!%)", line.strip())
        if words[:1] == [name]:
            told.append((float(words[-5]), *words[-4:]))
    if sorted(told) != sorted(expected) or not told:
        yield f"the answer about {name} tells {told}, measured was {expected}"


def check():
    for heading, text in steps_of():
        if len(EXERCISE.findall(text)) != 1 or text.count("**Exercise.**") != 1:
            yield f"{heading}: not one exercise"
    for exercise in exercises:
        where = f"the exercise about {exercise['file']}"
        text = read(os.path.join(root, exercise["file"]))
        if text.count(exercise["old"]) != 1:
            yield f"{where}: {text.count(exercise['old'])} times there: {exercise['old']}"
        if not command_of(exercise):
            yield f"{where}: no command, or several"
        elif target_of(exercise) is None and name_of(exercise):
            yield from times_are_measured(exercise)
        elif target_of(exercise) is None and "<!-- gains: " not in exercise["answer"]:
            yield f"{where}: its answer has no table of gains"
        elif target_of(exercise) and not lines_of(exercise):
            yield f"{where}: its answer shows nothing of what the command prints"
        if exercise[0].partition("<details>")[0].count("\n") > 6:
            yield f"{where}: more than 6 lines"


def change(number, folder):
    exercise = exercises[number]
    path = os.path.join(folder, exercise["file"])
    with open(path, "w", encoding="utf-8") as file:
        file.write(read(os.path.join(root, exercise["file"])).replace(exercise["old"], exercise["new"]))
    print(command_of(exercise))


def missing(number, printed):
    return [f"not printed: {line}" for line in lines_of(exercises[number]) if line not in printed]


bad = []
if command == "check":
    bad = list(check())
elif command == "list":
    for number, exercise in enumerate(exercises):
        if target_of(exercise):
            print(number, target_of(exercise))
elif command == "apply":
    change(int(rest[0]), rest[1])
elif command == "undo":
    path = exercises[int(rest[0])]["file"]
    shutil.copyfile(os.path.join(root, path), os.path.join(rest[1], path))
elif command == "answers":
    bad = missing(int(rest[0]), read(rest[1]))
else:
    sys.exit("usage: exercises.py ROOT check|list|apply|undo|answers ...")
for line in bad:
    print(line)
sys.exit(bool(bad))
