# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_pulsectl_global_optspecs
    string join \n color= q/quiet v/verbose h/help V/version
end

function __fish_pulsectl_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_pulsectl_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_pulsectl_using_subcommand
    set -l cmd (__fish_pulsectl_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c pulsectl -n "__fish_pulsectl_needs_command" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_needs_command" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "audit" -d 'Read a server\'s log and name the stop and cancel incidents in it'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "demo" -d 'Audit an embedded log of a real incident, to see what pulsectl says'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "sessions" -d 'List the sessions of a server and what is at work in each'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "graph" -d 'Show what a session owns, what it only watches, and why'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "rules" -d 'List the rules that the audit knows'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "explain" -d 'Say what a rule means, why it matters and what to do now'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "status" -d 'Say which server this is, as whom it is read, and what can be seen'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "snapshot" -d 'Save a server\'s state as a file, and look at such a file'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "config" -d 'Show the settings and where they came from'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "generate" -d 'Write completions, manual pages, schemas and the README\'s tables from this program\'s own definitions'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l tz -d 'The log\'s time zone: UTC, +05:30 or Asia/Kolkata [default: found in the log]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l since -d 'Only from this time on; without an offset it is in the log\'s zone' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l until -d 'Only up to this time' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l last -d 'Only the end of the log, counted back from its last time (30m, 2h)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l session -d 'Only this session: its id or a unique beginning' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l match -d 'Only sessions with this run, group, workflow, schedule or title' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l only -d 'Only these rules: codes, names or beginnings of codes (PLS03)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l skip -d 'All rules but these' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l min-severity -d 'Hide findings below this severity [default: info]' -r -f -a "critical\t''
high\t''
medium\t''
low\t''
info\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l fail-on -d 'Exit with 10 on findings from this severity on [default: high]' -r -f -a "critical\t''
high\t''
medium\t''
low\t''
info\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l baseline -d 'Findings in this file are known: they are counted and do not fail' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l write-baseline -d 'Write every finding into this file, for --baseline' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -s o -l output -d 'Format, and the file it goes to: text, concise, json, jsonl, sarif, junit, github, markdown, csv; repeatable [default: text]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l no-siblings -d 'Leave out a schedule.log that lies beside a named server_debug.log'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l timeline -d 'Tell the incident second by second'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l exit-zero -d 'Exit with 0 in spite of findings'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l show-content -d 'Print what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand demo" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand demo" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand demo" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand demo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand demo" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -s o -l output -d 'Format' -r -f -a "table\t'The ordinary columns'
wide\t'All columns'
json\t'One JSON document, `pulsectl.sessions/1`'
csv\t'Comma-separated values, all columns'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l columns -d 'Columns of table and CSV, in this order' -r -f -a "id\t''
workflow\t''
title\t''
status\t''
display\t''
registries\t''
turn\t''
runs\t''
agents\t''
panes\t''
age\t''
active\t''
mode\t''
trigger\t''
user\t''
flags\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l sort-by -d 'Order by this column' -r -f -a "id\t''
workflow\t''
title\t''
status\t''
display\t''
registries\t''
turn\t''
runs\t''
agents\t''
panes\t''
age\t''
active\t''
mode\t''
trigger\t''
user\t''
flags\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l status -d 'Only sessions with this status, as the server or its registries say it' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l workflow -d 'Only sessions whose workflow holds this text' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l match -d 'Only sessions that hold this text in id, title or workflow' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l no-headers -d 'No line of headings'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l up -d 'Instead: who owns, watches or launched this execution, step or terminal' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -s o -l output -d 'Format' -r -f -a "tree\t'Trees for a person'
table\t'One line per node'
json\t'One JSON document, `pulsectl.graph/1`'
dot\t'Graphviz'
mermaid\t'Mermaid flowchart'
markdown\t'Nested lists for a ticket'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l depth -d 'Only so many levels below the session' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l kind -d 'Only nodes of this kind and what leads to them; repeatable' -r -f -a "session\t''
turn\t''
run\t''
evaluation\t''
step\t''
item\t''
mirror\t''
agent\t''
sub_agent\t''
terminal\t''
schedule\t''
workflow\t''
group\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l all -d 'Also what has ended; JSON holds it always'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -s o -l output -d 'Format' -r -f -a "text\t'A table'
json\t'One JSON document, `pulsectl.rules/1`'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -s o -l output -d 'Format' -r -f -a "text\t'For a person'
json\t'One JSON document, `pulsectl.rules/1`'
markdown\t'Markdown'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -l all -d 'Every rule'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -s o -l output -d 'Format' -r -f -a "text\t'For a person'
json\t'One JSON document, `pulsectl.status/1`'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and not __fish_seen_subcommand_from save show help" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and not __fish_seen_subcommand_from save show help" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and not __fish_seen_subcommand_from save show help" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and not __fish_seen_subcommand_from save show help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and not __fish_seen_subcommand_from save show help" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and not __fish_seen_subcommand_from save show help" -f -a "save" -d 'Read everything that can be seen and write it to a file'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and not __fish_seen_subcommand_from save show help" -f -a "show" -d 'Print a snapshot'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and not __fish_seen_subcommand_from save show help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -s o -l output -d 'Format' -r -f -a "text\t'For a person: the server, and how much of it was seen'
json\t'One JSON document, `pulsectl.snapshot/1`'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from help" -f -a "save" -d 'Read everything that can be seen and write it to a file'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from help" -f -a "show" -d 'Print a snapshot'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and not __fish_seen_subcommand_from show help" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and not __fish_seen_subcommand_from show help" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and not __fish_seen_subcommand_from show help" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and not __fish_seen_subcommand_from show help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and not __fish_seen_subcommand_from show help" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and not __fish_seen_subcommand_from show help" -f -a "show" -d 'Print every setting as TOML'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and not __fish_seen_subcommand_from show help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and __fish_seen_subcommand_from show" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and __fish_seen_subcommand_from show" -l origin -d 'Say behind each value where it came from'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and __fish_seen_subcommand_from show" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and __fish_seen_subcommand_from show" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and __fish_seen_subcommand_from show" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "show" -d 'Print every setting as TOML'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand generate" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand generate" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand generate" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand generate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand generate" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "audit" -d 'Read a server\'s log and name the stop and cancel incidents in it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "demo" -d 'Audit an embedded log of a real incident, to see what pulsectl says'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "sessions" -d 'List the sessions of a server and what is at work in each'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "graph" -d 'Show what a session owns, what it only watches, and why'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "rules" -d 'List the rules that the audit knows'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "explain" -d 'Say what a rule means, why it matters and what to do now'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "status" -d 'Say which server this is, as whom it is read, and what can be seen'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "snapshot" -d 'Save a server\'s state as a file, and look at such a file'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "config" -d 'Show the settings and where they came from'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "generate" -d 'Write completions, manual pages, schemas and the README\'s tables from this program\'s own definitions'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph rules explain status snapshot config generate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from snapshot" -f -a "save" -d 'Read everything that can be seen and write it to a file'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from snapshot" -f -a "show" -d 'Print a snapshot'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "show" -d 'Print every setting as TOML'
