# bash completion for scanbench; printed by scanbench --help=bash
_scanbench() {
    local cur=${COMP_WORDS[COMP_CWORD]} part word='' how prefix item candidate about
    local -a words=()
    COMPREPLY=()
    # What readline cut at = and : is one word.
    for part in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if ((${#words[@]})) && [[ $part == [=:]* || ${words[-1]} == *[=:] ]]; then
            words[-1]+=$part
        else
            words+=("$part")
        fi
    done
    word=${words[-1]}
    [[ $cur == [:=] ]] && cur=''
    {
        IFS=$'\t' read -r how prefix
        while IFS=$'\t' read -r candidate about; do
            COMPREPLY+=("$prefix$candidate")
        done
    } < <("${COMP_WORDS[0]/#\~\//$HOME/}" complete "${words[@]}" 2>/dev/null)
    item=${word#"$prefix"}
    case $how in
    *files* | *plugins*)
        compopt -o filenames 2>/dev/null
        [[ $how == *files* ]] || set -- -X '!*.[sp][oy]'
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P "$prefix" -f "$@" -- "$item")
        [[ $how == *files* ]] ||
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P "$prefix" -d -- "$item")
        ;;
    *set*)
        COMPREPLY=("${COMPREPLY[@]/%/=}")
        compopt -o nospace 2>/dev/null
        ;;
    esac
    word=${word%"$cur"}
    COMPREPLY=("${COMPREPLY[@]#"$word"}")
}
complete -F _scanbench scanbench
