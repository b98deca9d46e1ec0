#!/bin/sh
# pandas, DuckDB, R, gnuplot and csvw read the CSV, its metadata and the JSON lines: each example of
# "Reading it" in docs/csv.md runs as it stands, and finds the types. Without a tool its claims are
# skipped, or with SCANBENCH_REQUIRE_READERS fail: .ci/tools installs them all.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results docs/csv.md
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
export PYTHONPATH="$root/build-ci/python${PYTHONPATH:+:$PYTHONPATH}"
cd "$work" || exit 1

# example HEADING [N]: the Nth block of code below it, without the fences.
example() {
    awk -v heading="### $1" -v wanted="${2:-1}" '
        /^##* / { on = $0 == heading }
        /^```/ && on { inside = !inside; blocks += inside; next }
        inside && blocks == wanted' "$root/docs/csv.md" >example
    [ -s example ] || { echo "no example $1 ${2:-1}" && return 1; }
    cat example
}

# python_with MODULE: sets $python to one that has it.
python_with() {
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1" >/dev/null 2>&1 && return 0
    done
    return 1
}

# needs N NAME COMMAND...: succeeds if the command does; else skips N claims.
needs() {
    count=$1 name=$2
    shift 2
    "$@" >/dev/null && return 0
    if [ -n "${SCANBENCH_REQUIRE_READERS-}" ]; then
        for _ in $(seq "$count"); do claim "$name is installed" false; done
    else
        skip "$count" "$name is not installed; .ci/tools installs it"
    fi
    return 1
}

# python_example HEADING N: then the claims of stdin hold.
python_example() {
    example "$1" "$2" && cat - >>example && "$python" example
}

plain_python() { python_with csv && python_example Python 1 </dev/null | grep cpu_serial; }

package() {
    example scanbench_results &&
        PYTHONPATH=$root/reports PYTHONDONTWRITEBYTECODE=1 python3 example | grep 'cpu_serial .*(1.000 to 1.000), tied'
}

pandas_of_package() {
    PYTHONPATH=$root/reports:$PYTHONPATH PYTHONDONTWRITEBYTECODE=1 python_example scanbench_results 2 <<'END'
params = ["param_threads", "param_way"]
assert list(rows.columns[1:]) == [*pandas.read_csv("out.csv").columns, *params] and rows["file"][0] == "out.csv"
copies = rows[(rows["plugin"] == "cpu_memcpy") & (rows["status"] == "ok")]
assert (copies["param_threads"] == 1).all() and (copies["param_way"] == 0).all() and len(copies) >= 4
assert rows[rows["plugin"] == "cpu_serial"][params].isna().all(axis=None)
for name in "n samples median_ns pct_copy seed rounds max_rel_error block".split():
    assert pandas.api.types.is_numeric_dtype(rows[name]), (name, rows[name].dtype)
END
}

pandas() {
    python_example pandas 1 <<'END'
rows = pandas.read_csv("out.csv")
numbers = "n samples median_ns ci_lo_ns elems_per_s pct_copy speedup seed rounds load page_faults max_rel_error"
for name in numbers.split():
    assert pandas.api.types.is_numeric_dtype(rows[name]), (name, rows[name].dtype)
for name in "plugin role dtype phase status reason run_id flags".split():
    assert not pandas.api.types.is_numeric_dtype(rows[name]), (name, rows[name].dtype)
assert rows["n"].dtype == "int64" and set(rows["n"]) == {10, 1000}
END
}

pandas_typed() {
    python_example pandas 2 <<'END'
assert str(rows["plugin_version"].dtype) == "string" and set(rows["plugin_version"].dropna()) == {"1.0"}
assert str(rows["n"].dtype) == "UInt64" and str(rows["block"].dtype) == "Int64"
assert str(rows["gpu_throttle"].dtype) == "string" and str(rows["clock_mhz"].dtype) == "float64"
assert "datetime64" in str(rows["timestamp_utc"].dtype), rows["timestamp_utc"].dtype
lines = pandas.read_json("out.jsonl", lines=True)
assert len(lines) == len(rows) and list(lines.columns) == list(rows.columns)
both = lines["median_ns"].notna()
# pandas reads the last bit of a number of ten digits differently from CSV and from JSON.
assert ((lines["median_ns"][both] / rows["median_ns"][both] - 1).abs() < 1e-12).all() and both.sum() > 4
END
}

# The three take `params` apart alike.
pandas_settings() {
    python_example "Settings as columns" 1 <<'END'
copies = rows[(rows["plugin"] == "cpu_memcpy") & (rows["status"] == "ok")]
assert (copies["param_threads"] == 1).all() and (copies["param_way"] == 0).all() and len(copies) >= 4
assert rows[rows["plugin"] == "cpu_serial"]["param_way"].isna().all() and "param_n" not in rows
END
}

duckdb_settings() {
    example "Settings as columns" 2 && "$python" - <<'END'
import duckdb
found = duckdb.sql(open("example").read()).fetchall()
print(found)
assert {(row[0], row[2]) for row in found} == {("cpu_memcpy", 1), ("cpu_serial", None)} and len(found) >= 8
END
}

r_settings() {
    example "Settings as columns" 3 && cat >>example <<'END' && Rscript --vanilla example
copies <- subset(rows, plugin == "cpu_memcpy" & status == "ok")
stopifnot(nrow(copies) >= 4, copies$param_threads == 1, param(copies, "way") == 0)
stopifnot(is.na(subset(rows, plugin == "cpu_serial")$param_threads))
END
}

duckdb() {
    example DuckDB && "$python" - "$1" <<'END'
import sys
import duckdb
query = open("example").read()
assert "'out.csv'" in query
found = duckdb.sql(query.replace("out.csv", sys.argv[1])).fetchall()
print(found)
assert [row[0] for row in found] == [10, 1000] and all(row[1] == "cpu_serial" and row[2] > 0 for row in found)
types = {name: kind for name, kind, *_ in duckdb.sql(f"DESCRIBE SELECT * FROM '{sys.argv[1]}'").fetchall()}
print(types)
for name, kind in {"n": "INT", "median_ns": "DOUBLE", "pct_copy": "DOUBLE", "plugin": "VARCHAR", "seed": "INT",
                   "timestamp_utc": "TIMESTAMP", "status": "VARCHAR", "max_rel_error": "DOUBLE"}.items():
    assert kind in types[name], (name, types[name])
if sys.argv[1].endswith("jsonl"):
    assert types["verified"] == "BOOLEAN" and types["plugin_version"] == "VARCHAR", types
END
}

in_r() {
    example R && { cat example && cat <<'END'
all <- read.csv("out.csv")
stopifnot(is.numeric(all$n), is.numeric(all$median_ns), is.character(all$plugin), is.numeric(all$pct_copy))
stopifnot(nrow(rows) == 8, all(rows$median_ns > 0))
END
    } >example.R && Rscript --vanilla example.R >r.out 2>&1
    found=$?
    cat r.out
    [ "$found" -eq 0 ] && grep -q 'cpu_serial *1000' r.out
}

# Two curves, each with a point for each size and type.
in_gnuplot() {
    example gnuplot && gnuplot example && grep -c '<use ' out.svg && grep -q 'cpu.*serial' out.svg &&
        [ "$(grep -c 'class=.*gnuplot\|<use ' out.svg)" -ge 8 ]
}

valid() {
    python_example CSVW 1 <<'END'
assert table.is_valid and not table.warnings, [str(w.message) for w in table.warnings]
rows = list(table.tables[0])
good = [row for row in rows if row["phase"] == "run" and row["status"] == "ok" and row["role"] != "calibrator"]
assert len(good) == 8 and all(type(row["n"]) is int and type(row["median_ns"]) is float for row in good)
assert all(row["verified"] is True and row["timestamp_utc"].year >= 2026 for row in good)
assert any(row["status"] == "error" and row["median_ns"] is None for row in rows)
columns = table.tables[0].tableSchema.columns
assert all(c.common_props["dc:description"] for c in columns) and len(columns) >= 60
units = {c.name: c.common_props.get("schema:unitText") for c in columns}
assert units["median_ns"] == "ns" and units["bytes_per_s"] == "B/s" and units["n"] is None
assert table.tables[0].notes[0]["run_id"] == rows[0]["run_id"]
END
}

# invalid SED: csvw finds the cell that was changed. It warns of a column that the schema lacks.
invalid() {
    mkdir -p broken && cp out.csv-metadata.json broken && sed "$1" out.csv >broken/out.csv
    cmp -s out.csv broken/out.csv && return 1
    (
        cd broken && example CSVW && sed '/^print/d' example >example.py && cat >>example.py <<'END' &&
try:
    found = not table.is_valid
    rows = list(table.tables[0])
except (UserWarning, ValueError) as error:
    print(error)
    found = True
raise SystemExit(not found)
END
            "$python" -W error example.py
    )
}

printf '#!/bin/sh\n' >not_a_plugin.so
"$scanbench" -q --plugins cpu_serial,cpu_memcpy,./not_a_plugin.so --sizes 10,1e3 --types i32,f32 --set way=0 \
    --set threads=1 --max-samples 12 --time-limit 0.02 --csv out.csv --json out.jsonl 2>/dev/null
plan 17
claim "Python's csv" plain_python
if needs 1 "python3 of version 3.9 or later" python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))'; then
    claim "the package scanbench_results" package
fi
if needs 4 pandas python_with pandas; then
    claim "pandas: the example, and which columns are numbers" pandas
    claim "pandas: the package's table of rows" pandas_of_package
    claim "pandas: a column for each setting" pandas_settings
    claim "pandas: types from the metadata, and the same rows from the JSON lines" pandas_typed
fi
if needs 3 DuckDB python_with duckdb; then
    claim "DuckDB: the example from the CSV, and its types" duckdb out.csv
    claim "DuckDB: the same from the JSON lines" duckdb out.jsonl
    claim "DuckDB: a setting as a column" duckdb_settings
fi
if needs 2 R command -v Rscript; then
    claim "R: the example, and its types" in_r
    claim "R: a setting as a column" r_settings
fi
if needs 1 gnuplot command -v gnuplot; then claim "gnuplot: the example draws every point" in_gnuplot; fi
if needs 5 csvw python_with csvw; then
    claim "csvw: the metadata are valid, with types, units and meanings" valid
    claim "csvw: a size that is no number is found" invalid '2s/,10,/,ten,/'
    claim "csvw: so is a column that has another name" invalid '1s/,median_ns,/,median,/'
    claim "csvw: and an empty cell that must not be" invalid '2s/^1,/,/'
    claim "csvw: and a date that is none" invalid '2s/T[0-9:]*Z,/ at noon,/'
fi
