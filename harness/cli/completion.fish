# fish completion for scanbench; printed by scanbench --help=fish
function __scanbench_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" $words[1])
    set -l lines ($program complete $words[2..-1] 2>/dev/null)
    set -l how (string split \t -- $lines[1])
    set -l item (string sub -s (math (string length -- $how[2]) + 1) -- $words[-1])
    set -l suffix
    switch $how[1]
        case '*files*'
            set -a lines (complete -C "'' $item")
        case '*plugins*'
            set -a lines (__fish_complete_suffix --complete=$item .so)
            set -a lines (__fish_complete_suffix --complete=$item .py)
        case '*set*'
            set suffix '='
    end
    for line in $lines[2..-1]
        set -l parts (string split -m 1 \t -- $line)
        echo "$how[2]$parts[1]$suffix"\t"$parts[2]"
    end
end
complete -c scanbench -f -a '(__scanbench_complete)'
