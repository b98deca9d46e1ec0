#!/bin/sh
# The manual and the completions come from the table that --help is printed from:
# they name every option of it, and the tools that read them find nothing wrong.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
PATH=$build:$PATH
unset SCANBENCH_PLUGIN_PATH

for form in man bash zsh fish; do
    "$scanbench" --help=$form >"$work/$form" || exit 1
done
for verb in run list validate tune compare report submit new; do
    "$scanbench" $verb --help
done >"$work/help"
sed -n -e 's/^  -., --\([a-z-]*\).*/\1/p' -e 's/^      --\([a-z-]*\).*/\1/p' "$work/help" |
    sort -u >"$work/options"

# Each option of --help, with $2 before its name and $3 after it.
names_all() {
    [ "$(wc -l <"$work/options")" -gt 20 ] || return
    while read -r option; do
        grep -qF -- "$2$option$3" "$work/$1" || { echo "no $option" && return 1; }
    done <"$work/options"
}

completes_all() {
    for verb in run list validate tune compare report submit new; do
        "$scanbench" complete $verb --
    done | cut -f 1 | sort -u >"$work/completed"
    sed 's/^/--/' "$work/options" | diff - "$work/completed" | grep '^<' && return 1
    return 0
}

# with TOOL TEXT COMMAND...: the claim, skipped without the tool.
with() {
    if command -v "$1" >/dev/null 2>&1; then
        shift
        claim "$@"
    else
        skip 1 "$1 is not installed"
    fi
}

# From stdin: mandoc takes a path such as tmp.2Xy/man for a page of section 2. The level
# is all but the conventions of a BSD's base system.
lints() {
    mandoc -Tlint -Wstyle <"$work/man" && mandoc -Tascii <"$work/man" >"$work/read"
}

# completes PATTERN WORD...: the last word, in bash, which has the words in COMP_WORDS as
# readline cuts them: = and : are words of their own.
completes() {
    expected=$1
    shift
    # shellcheck disable=SC2016 # expanded by bash
    found=$(bash -c '. "$0" && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) && _scanbench &&
        echo "${COMPREPLY[*]}"' "$work/bash" "$@")
    echo "found: $found"
    # shellcheck disable=SC2254 # a pattern
    case $found in $expected) return 0 ;; esac
    return 1
}

completes_files() {
    completes "rows.csv" scanbench --csv rows &&
        completes "mine.so" scanbench validate mi &&
        completes "folder" scanbench validate fol &&
        completes "rows.csv" scanbench compare ro &&
        completes "rows.csv" scanbench report ro &&
        completes "rows.csv" scanbench report --claims ro &&
        completes "folder" scanbench report --history fol &&
        completes "rows.csv" scanbench report -o ro &&
        completes "./mine.so ./folder" scanbench --plugins ./
}

# By any path to the program, in a list, taken away, as an argument.
completes_plugins() {
    completes "cpu_serial" scanbench --plugins cpu_se &&
        completes "cpu_serial" "$scanbench" --baseline cpu_se &&
        completes "cpu_memcpy,opencl_copy,cpu_serial" scanbench -p cpu_memcpy,opencl_copy,cpu_se &&
        completes "all,!cpu_serial" scanbench --plugins 'all,!cpu_se' &&
        completes "cpu_serial" scanbench validate cpu_se &&
        completes "cpu_memcpy,cpu_serial" scanbench --require = cpu_memcpy,cpu_se
}

# The backend is cut off where bash has cut the word.
completes_devices() {
    completes "opencl:0*" scanbench --device o &&
        completes "0*" scanbench --device opencl : &&
        completes "0*" scanbench --device = opencl : 0 &&
        completes "0,opencl:0*" scanbench --device cuda : 0,o
}

# Beside a plugin that ends its worker before the worker is told to quit.
completes_beside_broken() {
    mkdir "$work/broken" && cp "$build/tests/fixtures/plugins/exits_in_load.so" "$work/broken" &&
        SCANBENCH_PLUGIN_PATH=$work/broken completes "cpu_serial" scanbench --plugins cpu_seri
}

# In a fish that has read the completions: the words, without what they are.
completes_in_fish() {
    expected=$1
    found=$(fish --no-config -c "source $work/fish; complete -C '$2'" | cut -f 1 | tr '\n' ' ')
    echo "found: $found"
    [ "$found" = "$expected " ]
}

# In a zsh on a terminal of its own, which reads the completions once: what each line of a file is
# after a tab.
type_in_zsh() {
    cat >"$work/type.zsh" <<'EOF'
zmodload zsh/zpty
setup="PS1=; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source $1
compdef _scanbench scanbench
tell() { print -rn -- \"<<\$BUFFER>>\"; BUFFER=; }; zle -N tell; bindkey '^T' tell; echo ready"
zpty shell zsh -f -i
zpty -w shell "${setup//$'\n'/; }"
zpty -r -m shell found '*ready*ready*'
while read -r line; do
    zpty -w -n shell "$line"$'\t\C-t'
    zpty -r -m shell found '*<<*>>*' && found=${found##*<<} && print -r -- "$line -> ${found%%>>*}|"
done <"$2"
EOF
    timeout 60 zsh -f "$work/type.zsh" "$work/zsh" "$work/lines" >"$work/typed" 2>&1
}

# in_zsh EXPECTED LINE: what the line was.
in_zsh() {
    cat "$work/typed"
    grep -qxF -- "$2 -> $1|" "$work/typed"
}

cat >"$work/lines" <<'EOF'
scanbench compare ro
scanbench --plugins cpu_se
scanbench run --plugins cpu_memcpy,!cpu_se
scanbench --set wa
scanbench validate --claims sizes,repe
scanbench new --backend o
scanbench validate cpu_se
EOF
folder=$work/files
mkdir "$folder" "$folder/folder" && : >"$folder/rows.csv" && : >"$folder/mine.so" && cd "$folder" || exit 1
# In the background, because these take long.
{
    "$scanbench" list --require opencl >/dev/null 2>&1 && : >"$work/opencl"
} &
asking=$!
if command -v zsh >/dev/null 2>&1; then
    type_in_zsh &
fi

fits() { [ -s "$work/help" ] && ! grep -E '.{80}' "$work/help"; }

plan 40
claim "no line of --help is as wide as a terminal of 80 columns" fits
claim "--help=man names every option" names_all man ' Fl -' ''
claim "every option completes" completes_all
claim "a form that there is not is refused" exits 2 "write one of man bash zsh fish" \
    "$scanbench" --help=csh
with mandoc "mandoc finds nothing wrong with the manual" lints
with bash "bash takes its completions" bash -n "$work/bash"
with zsh "zsh takes its completions" zsh -n "$work/zsh"
with fish "fish takes its completions" fish -n "$work/fish"
with bash "commands complete" completes "list" scanbench li
with bash "options complete" completes "--sizes --set --seed --samples" scanbench --s
with bash "options of another command do not" completes "" scanbench list --si
with bash "values complete" completes "u32 u64 u32x2 u8 u16" scanbench --types u
with bash "values behind = complete" completes "never" scanbench --color = n
with bash "lists complete" completes "sum,max sum,min" scanbench run --ops sum,m
with bash "numbers do not" completes "" scanbench --sizes 1
with bash "files complete" completes_files
with bash "longer lists complete" completes "sum,max,min" scanbench run --ops sum,max,mi
with bash "plugins complete" completes_plugins
with bash "plugins complete beside broken ones" completes_beside_broken
with bash "backends complete, beside plugins" completes "cpu_memcpy *cpu" scanbench list --require cpu
with bash "tunables complete" completes "way=" scanbench --set wa
with bash "their values do not" completes "" scanbench --set vt = 1
with bash "claims complete" completes "sizes,repeat" scanbench validate --claims sizes,repe
with bash "templates complete" completes "cuda" scanbench new --backend cu
with bash "kinds of words complete" completes "tunables templates" scanbench list --words t
wait "$asking"
if [ -e "$work/opencl" ]; then
    with bash "devices complete" completes_devices
else
    skip 1 "OpenCL has no device here"
fi
with fish "fish: plugins" completes_in_fish "cpu_serial" "scanbench --baseline cpu_se"
with fish "fish: lists of plugins" completes_in_fish "cpu_memcpy,cpu_serial" \
    "scanbench --plugins cpu_memcpy,cpu_se"
with fish "fish: tunables" completes_in_fish "way=" "scanbench --set wa"
with fish "fish: claims" completes_in_fish "remainders repeat" \
    "scanbench validate --claims re"
with fish "fish: arguments" completes_in_fish "cpu_serial" "scanbench validate cpu_se"
with fish "fish: files" completes_in_fish "rows.csv" "scanbench compare ro"
wait
with zsh "zsh: files" in_zsh "scanbench compare rows.csv " "scanbench compare ro"
with zsh "zsh: plugins" in_zsh "scanbench --plugins cpu_serial," "scanbench --plugins cpu_se"
with zsh "zsh: lists of plugins" in_zsh "scanbench run --plugins cpu_memcpy,!cpu_serial," \
    "scanbench run --plugins cpu_memcpy,!cpu_se"
with zsh "zsh: tunables" in_zsh "scanbench --set way=" "scanbench --set wa"
with zsh "zsh: claims" in_zsh "scanbench validate --claims sizes,repeat," \
    "scanbench validate --claims sizes,repe"
with zsh "zsh: templates" in_zsh "scanbench new --backend opencl " \
    "scanbench new --backend o"
with zsh "zsh: arguments" in_zsh "scanbench validate cpu_serial " \
    "scanbench validate cpu_se"
claim "the build has printed the manual" cmp "$work/man" "$build/manual/scanbench.1"
