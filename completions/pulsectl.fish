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
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "plan" -d 'Say what a stop or a terminal\'s death would do, before it happens'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "stop" -d 'Say what a stop would do: another name of `plan stop`'
complete -c pulsectl -n "__fish_pulsectl_needs_command" -f -a "rules" -d 'List the rules that the audit knows, those of the settings too'
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
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l fail-on -d 'Exit with 10 on findings from this severity on, or with `inconclusive` on those from high on and on every stop that cannot be decided [default: high]' -r -f -a "critical\t''
high\t''
medium\t''
low\t''
info\t''
inconclusive\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l baseline -d 'Findings in this file are known: they are counted and do not fail' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l write-baseline -d 'Write every finding into this file, for --baseline' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person: incidents, stops, summary'
concise\t'one line per finding'
json\t'one JSON document, pulsectl.audit/1'
jsonl\t'one finding per line, then the rest'
sarif\t'SARIF 2.1.0, for code scanning'
junit\t'JUnit XML: a suite per log, a case per rule'
github\t'annotations; the table goes to the step\'s summary'
markdown\t'a report for a ticket'
csv\t'one line per finding, for a spreadsheet'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l no-siblings -d 'Leave out a schedule.log that lies beside a named server_debug.log'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l timeline -d 'Tell the incident second by second'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand audit" -l explain-stops -d 'Foresee each stop from the log just before it, and say whether its counters came out so (text and JSON)'
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
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "table\t'the ordinary columns'
wide\t'all columns'
json\t'one JSON document, pulsectl.sessions/1'
csv\t'comma-separated values, all columns'"
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
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l no-headers -d 'No line of headings'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand sessions" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l up -d 'Instead: who owns, watches or launched this execution, step or terminal' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "tree\t'trees for a person'
table\t'one line per node'
json\t'one JSON document, pulsectl.graph/1'
dot\t'Graphviz'
mermaid\t'Mermaid flowchart'
markdown\t'nested lists for a ticket'"
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
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l all -d 'Also what has ended; JSON holds it always'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand graph" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "stop" -d 'A person stops a session'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "cancel-turn" -d 'A person cancels a session\'s turn'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "schedule-stop" -d 'A person stops a schedule\'s running job'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "terminal-death" -d 'The watchdog finds a pane missing, dead or at a usage wall'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "kill-terminal" -d 'An operator kills a terminal'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "stop-step" -d 'An agent stops one execution by its tool'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "stop-all" -d 'An agent stops all executions of its session by its tool'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "shutdown" -d 'The server is stopped'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "dismiss" -d 'A person hides a session'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "clear" -d 'A person erases a session\'s history'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "check" -d 'Compare a saved plan with what a log says then happened'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and not __fish_seen_subcommand_from stop cancel-turn schedule-stop terminal-death kill-terminal stop-step stop-all shutdown dismiss clear check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l agents -d 'The button Stop, which also cancels agents; without it a closed tab'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from cancel-turn" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from schedule-stop" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l terminal -d 'This terminal instead of the main one' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l pane -d 'What the watchdog finds' -r -f -a "missing\t''
dead\t''
wall\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from terminal-death" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from kill-terminal" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-step" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from stop-all" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from shutdown" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from dismiss" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from clear" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from check" -l log -d 'Logs: files, globs or directories' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from check" -l tz -d 'The log\'s time zone: UTC, +05:30 or Asia/Kolkata [default: found in the log]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from check" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'one line per row, for a person'
json\t'one JSON document, pulsectl.plan-check/1'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from check" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from check" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from check" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from check" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "stop" -d 'A person stops a session'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "cancel-turn" -d 'A person cancels a session\'s turn'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "schedule-stop" -d 'A person stops a schedule\'s running job'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "terminal-death" -d 'The watchdog finds a pane missing, dead or at a usage wall'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "kill-terminal" -d 'An operator kills a terminal'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "stop-step" -d 'An agent stops one execution by its tool'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "stop-all" -d 'An agent stops all executions of its session by its tool'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "shutdown" -d 'The server is stopped'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "dismiss" -d 'A person hides a session'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "clear" -d 'A person erases a session\'s history'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "check" -d 'Compare a saved plan with what a log says then happened'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand plan; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person, the worst first'
json\t'one JSON document, pulsectl.plan/1'
yaml\t'the same as YAML'
markdown\t'lists for a ticket'
table\t'one line per row'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l policy -d 'Who may cancel whom: what this server does, what PLAT-171 asks for, or that in the sweeps alone' -r -f -a "server\t''
owner\t''
sweeps_only\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l fail-on -d 'Exit with 10 on one of these: a flag (`pulsectl plan --help` explains each), unknown, or unsafe, which is anything that speaks against "safe"; a row whose outcome cannot be told fails any of them' -r -f -a "unknown\t''
unsafe\t''
collateral\t''
intended_kill\t''
ineffective\t''
nominal_no_cancel\t''
relaunch_risk\t''
orphan_tracked\t''
dark_execution\t''
swallowed_notification\t''
half_stopped\t''
mcp_collateral\t''
works_on\t''
false_completion\t''
blocked_by:pane_sweep\t''
blocked_by:reaper\t''
blocked_by:guard_kills_children\t''
blocked_by:notification_swallowed\t''
blocked_by:workshop_close\t''
blocked_by:http_session_close\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l agents -d 'The button Stop, which also cancels agents; without it a closed tab'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l dry-run -d 'Only say what would happen'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l compare -d 'Put the three policies side by side'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l detailed-exitcode -d 'Exit with 11 if anything would end'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l exit-zero -d 'Exit with 0 in spite of --fail-on and --detailed-exitcode'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -l show-content -d 'Show what people wrote instead of masking it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand stop" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'a table'
json\t'one JSON document, pulsectl.rules/1'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand rules" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person'
json\t'one JSON document, pulsectl.rules/1'
markdown\t'the same as Markdown'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -l all -d 'Every rule'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand explain" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person'
json\t'one JSON document, pulsectl.status/1'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand status" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
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
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -s q -l quiet -d 'No progress bar, no hints on stderr'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -s v -l verbose -d 'More detail on stderr (-vv: still more)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from save" -s V -l version -d 'Print version'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l server -d 'The server [env: PULSECTL_SERVER] [default: 127.0.0.1 on port 8000, 18743 or 45678]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l token-file -d 'File with a token for that server [env: PULSECTL_TOKEN holds one for PULSECTL_SERVER] [default: single-user login]' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l ca-cert -d 'CA certificates in PEM form instead of the system\'s' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l timeout -d 'How long one request may take (500ms, 10s, 1m)' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l deadline -d 'How long all requests together may take' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l from -d 'Instead of a server: a saved snapshot, or a folder of recorded answers with an index.json' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l server-version -d 'Version of the server [default: by its features, else assumed]' -r -f -a "2026-08-17\t''
2026-08-20\t''
2026-08-22\t''
later\t''"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l log -d 'Instead of a server: its logs, as `pulsectl audit` takes them; what a log never says is unknown' -r -F
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l at -d 'The moment in the log [default: its last line]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l tz -d 'Zone of the log [default: as the log tells]' -r
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -s o -l output -d 'Format [default: the first], and the file it goes to; repeatable' -r -f -a "text\t'for a person: the server, and how much of it was seen'
json\t'one JSON document, pulsectl.snapshot/1'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l color -d 'Colour in the output' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c pulsectl -n "__fish_pulsectl_using_subcommand snapshot; and __fish_seen_subcommand_from show" -l names -d 'Behind a closed debug gate, also read names and parents from the event streams; heavy'
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
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "audit" -d 'Read a server\'s log and name the stop and cancel incidents in it'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "demo" -d 'Audit an embedded log of a real incident, to see what pulsectl says'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "sessions" -d 'List the sessions of a server and what is at work in each'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "graph" -d 'Show what a session owns, what it only watches, and why'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "plan" -d 'Say what a stop or a terminal\'s death would do, before it happens'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "stop" -d 'Say what a stop would do: another name of `plan stop`'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "rules" -d 'List the rules that the audit knows, those of the settings too'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "explain" -d 'Say what a rule means, why it matters and what to do now'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "status" -d 'Say which server this is, as whom it is read, and what can be seen'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "snapshot" -d 'Save a server\'s state as a file, and look at such a file'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "config" -d 'Show the settings and where they came from'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "generate" -d 'Write completions, manual pages, schemas and the README\'s tables from this program\'s own definitions'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and not __fish_seen_subcommand_from audit demo sessions graph plan stop rules explain status snapshot config generate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "stop" -d 'A person stops a session'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "cancel-turn" -d 'A person cancels a session\'s turn'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "schedule-stop" -d 'A person stops a schedule\'s running job'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "terminal-death" -d 'The watchdog finds a pane missing, dead or at a usage wall'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "kill-terminal" -d 'An operator kills a terminal'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "stop-step" -d 'An agent stops one execution by its tool'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "stop-all" -d 'An agent stops all executions of its session by its tool'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "shutdown" -d 'The server is stopped'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "dismiss" -d 'A person hides a session'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "clear" -d 'A person erases a session\'s history'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from plan" -f -a "check" -d 'Compare a saved plan with what a log says then happened'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from snapshot" -f -a "save" -d 'Read everything that can be seen and write it to a file'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from snapshot" -f -a "show" -d 'Print a snapshot'
complete -c pulsectl -n "__fish_pulsectl_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "show" -d 'Print every setting as TOML'
