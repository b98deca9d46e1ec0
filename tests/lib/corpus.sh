# shellcheck shell=sh
# Which plugins of the corpus of broken ones a test takes; after tap.sh. SCANBENCH_CORPUS=full takes all of
# them, SCANBENCH_CORPUS=SEED the sample of that number. Otherwise all are taken where the worker, the proof or
# the corpus may have changed: against the branch this one left, or on main against the commit before; where
# git does not know those, too. Else a sample is taken, whose seed is printed. .ci/nightly takes all.
# shellcheck disable=SC2154 # tap.sh sets $root and $work

# The commit to compare with.
corpus_base() {
    head=$(git -C "$root" rev-parse HEAD) || return 1
    for main in origin/main main; do
        base=$(git -C "$root" merge-base "$main" HEAD 2>/dev/null) || continue
        [ "$base" = "$head" ] || { echo "$base" && return; }
    done
    git -C "$root" rev-parse --verify --quiet HEAD~1
}

# May what the corpus tests have changed? Not in a tree without git, such as an archive of a release.
corpus_may_have_changed() {
    set -- harness/worker harness/proof tests/fixtures tests/lib/corpus.sh \
        tests/proof/broken_plugins_are_caught.t tests/run/broken_plugins_cost_their_rows.t
    git -C "$root" rev-parse --git-dir >/dev/null 2>&1 || return 1
    base=$(corpus_base) || return 0
    ! git -C "$root" diff --quiet "$base" -- "$@" ||
        [ -n "$(git -C "$root" ls-files --others --exclude-standard -- "$@")" ]
}

# corpus_sample SEED COUNT NAMES: of the lines of a table of plugins, those names, one line for each status, claim
# and beginning of a diagnosis as far as COUNT allows, and others up to COUNT, drawn by the seed; in their order.
corpus_sample() {
    # A generator of its own (Park and Miller), because those of awks differ.
    awk -v state="$1" -v count="$2" -v names="$3" '
        function draw() { return state = state * 16807 % 2147483647 }
        function take(line) { if (!(line in taken)) { taken[line] = 1; count-- } }
        function shuffle(i, k, swap) {
            for (i = NR; i > 1; i--) {
                k = 1 + draw() % i
                swap = order[i]; order[i] = order[k]; order[k] = swap
            }
        }
        { lines[NR] = $0; order[NR] = NR; name[NR] = $1; status[NR] = $2; claims[NR] = $3; looks[NR] = $4 " " $5 " " $6 }
        END {
            state = 1 + state % 2147483646
            for (i = 0; i < 9; i++) draw()
            shuffle()
            for (i = 1; i <= NR; i++) if (index(" " names " ", " " name[i] " ")) take(i)
            # What is rarest first: a status, then a claim, then a diagnosis.
            for (round = 1; round <= 4; round++)
                for (i = 1; i <= NR && count > 0; i++) {
                    line = order[i]
                    key = round == 1 ? status[line] : round == 2 ? claims[line] : round == 3 ? looks[line] : line
                    if (!((round, key) in seen)) {
                        seen[round, key] = 1
                        take(line)
                    }
                }
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
    corpus_sample "$corpus" 48 "$1" <"$work/all" >"$work/table"
    echo "# a sample of $(wc -l <"$work/table") of $(wc -l <"$work/all") plugins; SCANBENCH_CORPUS=$corpus takes these again, full all" >&2
}
