# shellcheck shell=sh
# Which plugins of the corpus of broken ones a test takes; after tap.sh. SCANBENCH_CORPUS=full takes all of
# them, SCANBENCH_CORPUS=SEED the sample of that number. Otherwise all are taken where the worker, the proof or
# the corpus may have changed. Else a sample is taken, whose seed is printed. .ci/nightly takes all.
# shellcheck disable=SC2154 # tap.sh sets $root and $work

. "$root/tests/lib/changed.sh"

# May what the corpus tests have changed?
corpus_may_have_changed() {
    changed "$root" harness/worker harness/proof tests/fixtures tests/lib/corpus.sh \
        tests/proof/broken_plugins_are_caught.t tests/run/broken_plugins_cost_their_rows.t
}

# corpus_sample SEED NAMES: of the lines of a table of plugins, those names, then as few as give each status of a
# row and each claim that any of them breaks, and some that break none, drawn by the seed; in their order.
corpus_sample() {
    # A generator of its own (Park and Miller), because those of awks differ.
    awk -v state="$1" -v names="$2" '
        function draw() { return state = state * 16807 % 2147483647 }
        function shuffle(i, k, swap) {
            for (i = NR; i > 1; i--) {
                k = 1 + draw() % i
                swap = order[i]; order[i] = order[k]; order[k] = swap
            }
        }
        function adds(line, i) {
            for (i = 1; i <= says[line]; i++) if (!(word[line, i] in seen)) return 1
            return 0
        }
        function take(line, i) {
            taken[line] = 1
            for (i = 1; i <= says[line]; i++) seen[word[line, i]] = 1
        }
        {
            lines[NR] = $0; order[NR] = NR; name[NR] = $1; right[NR] = $3 == "-"
            says[NR] = split("status:" $2 "," $3, parts, ",")
            for (i = 1; i <= says[NR]; i++) word[NR, i] = parts[i]
        }
        END {
            state = 1 + state % 2147483646
            for (i = 0; i < 9; i++) draw()
            shuffle()
            for (i = 1; i <= NR; i++) if (index(" " names " ", " " name[i] " ")) take(i)
            for (i = 1; i <= NR; i++) if (adds(order[i])) take(order[i])
            for (i = 1; i <= NR && more < 3; i++)
                if (right[order[i]] && !(order[i] in taken)) { take(order[i]); more++ }
            for (i = 1; i <= NR; i++) if (i in taken) print lines[i]
        }'
}

# corpus_choose NAMES: writes the plugins to take to $work/table, NAMES among them, and sets $corpus to full or
# to the seed.
corpus_choose() {
    corpus=${SCANBENCH_CORPUS-}
    grep -v '^#' "$root/tests/fixtures/plugins/expected.txt" >"$work/all"
    if [ -z "$corpus" ] && corpus_may_have_changed; then corpus=full; fi
    [ -n "$corpus" ] || corpus=$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')
    if [ "$corpus" = full ]; then
        cp "$work/all" "$work/table"
        return
    fi
    corpus_sample "$corpus" "$1" <"$work/all" >"$work/table"
    echo "# a sample of $(wc -l <"$work/table") of $(wc -l <"$work/all") plugins; SCANBENCH_CORPUS=$corpus takes these again, full all" >&2
}
