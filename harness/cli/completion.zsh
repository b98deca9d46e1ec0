#compdef scanbench
# printed by scanbench --help=zsh
_scanbench() {
    local line how prefix
    local -a lines found shown suffix
    lines=("${(@f)$(${~${(Q)words[1]}} complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    how=${lines[1]%%$'\t'*}
    prefix=${lines[1]#*$'\t'}
    for line in "${(@)lines[2,-1]}"; do
        found+=("${line%%$'\t'*}")
        shown+=("${line/$'\t'/ -- }")
    done
    compset -P "${(b)prefix}"
    case $how in
    *list*) suffix=(-q -S ,) ;;
    *set*) suffix=(-S =) ;;
    esac
    [[ $how != *files* ]] || _files
    [[ $how != *plugins* ]] || _files -g '*.(so|py)'
    compadd $suffix -l -d shown -a found
}
_scanbench "$@"
