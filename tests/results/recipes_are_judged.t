#!/bin/sh
# Recipes: what they may say, what is said of mistakes in them with line and column, what holds, what does not and what
# cannot be told. Then damaged recipes: each is read or refused, and nothing else comes out. More of them, and others:
# SCANBENCH_MUTANTS=100000 SCANBENCH_SEED=7 tests/results/recipes_are_judged.t
set -u
. "$(dirname -- "$0")/../lib/python.sh"
python_test "$root/tests/results/recipes_are_judged.py" "$root"
