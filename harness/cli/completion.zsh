#compdef scanbench
# printed by scanbench --help=zsh
# _scanbench_words WORDS ASKED OPTIONS...: WORDS, and what the program says to ASKED
_scanbench_words() {
    local asked=$2
    local -a found shown
    [[ -z $asked ]] ||
        found=(${(f)"$(${~${(Q)program}} list --timeout 5 --words $asked 2>/dev/null)"})
    shown=(${=1} ${found/$'\t'/ -- })
    found=(${=1} ${found%%$'\t'*})
    shift 2
    if [[ $asked == plugins ]]; then
        compset -P '!'
        [[ $PREFIX == */* ]] && _files -g '*.so'
    fi
    compadd "$@" -l -d shown -a found
}
_scanbench_plugins() {
    _scanbench_words '' plugins
    _files -g '*.so'
}
_scanbench() {
    local verb=run program=$words[1]
    local -a verbs arguments
    verbs=(
@NAMES@
    )
    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
        _describe command verbs
        return
    fi
    if [[ $words[2] != -* ]]; then
        verb=$words[2]
        shift words
        ((CURRENT--))
    fi
@VERBS@
    _arguments -s $arguments
}
_scanbench "$@"
