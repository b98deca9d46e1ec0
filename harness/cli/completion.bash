# bash completion for scanbench; printed by scanbench --help=bash
_scanbench_ask() {
    "${COMP_WORDS[0]/#\~\//$HOME/}" list --timeout 5 --words "$1" 2>/dev/null | cut -f 1
}
_scanbench_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P "$prefix" "$@" -- "$item")
}
_scanbench() {
    local cur=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) verb=${COMP_WORDS[1]}
    local word=$cur option item prefix='' suffix='' words='' asked='' many='' candidate
    local -a candidates
    COMPREPLY=()
    while ((at > 0)) && [[ $word == :* || ${COMP_WORDS[at]} == : ]]; do
        word=${COMP_WORDS[at]}$word
        ((at--))
    done
    option=${COMP_WORDS[at]}
    if [[ $word == = ]]; then
        word=''
        [[ $option == -* ]] || return
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[at - 1]}
        [[ $option == -* ]] || return
    fi
    [[ $cur == [:=] ]] && cur=''
    item=$word
    case $verb:$option in
@VALUES@
    *)
        case $verb in
@VERBS@
        esac
        ((COMP_CWORD > 1)) || words+='@NAMES@'
        ;;
    esac
    if [[ -n $many ]]; then
        item=${word##*,}
        prefix=${word%"$item"}
        if [[ $asked == plugins && $item == !* ]]; then
            prefix+=! item=${item:1}
        fi
    fi
    [[ -z $asked ]] || words+=" $(_scanbench_ask "$asked")"
    read -r -d '' -a candidates <<<"$words"
    for candidate in "${candidates[@]}"; do
        [[ $candidate == "$item"* ]] && COMPREPLY+=("$prefix$candidate$suffix")
    done
    if [[ $asked == plugins && ($option != -* || $item == */*) ]]; then
        _scanbench_files -f -X '!*.so'
        _scanbench_files -d
    fi
    [[ -z $suffix ]] || compopt -o nospace 2>/dev/null
    word=${word%"$cur"}
    COMPREPLY=("${COMPREPLY[@]#"$word"}")
}
complete -F _scanbench scanbench
