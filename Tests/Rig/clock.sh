# A machine whose clock is set while a run goes on, and a standard output that nobody reads.
. /rig.sh
modprobe hci_vhci
IB=0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5
region="--region ib=ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0"
watch() { # watch NAME OPTIONS…
  name=$1
  shift
  # shellcheck disable=SC2086
  start "$name" beacontrace live -i bluetooth0 --scan passive --set exit_after=5 $region --self-alerts \
    --alerts "/out/$name.eve" --status "/out/$name.status" --no-summary "$@"
}
status() { cat "/out/$1.status" >>"/out/$1.statuses" && grep -q "$2" "/out/$1.status"; }
told() { grep -q "\"category\":\"beacontrace\".*$2" "/out/$1.eve"; }

start vb vhci-beacons -r 20 -t 0 -k 400 -p $IB
check "hci0 is there" wait_for 5 is_there 0
up 0

note "=== set forward by 2 h, then back by 3 h, then forward by 3 h"
watch clock --state /out/clock.state --write /out/clock.pcapng --rotate-time 5s
sleep 8
date -s "@$(($(date +%s) + 7200))"
sleep 8
check "forward: it is named" told clock 'set forward by 2 h 00 min'
check "forward: all is well" status clock '"ok":true'
date -s "@$(($(date +%s) - 10800))"
sleep 3
files=$(ls /out/clock-*.pcapng | wc -l)
sleep 12
check "back: an alert says it, as severe as any" told clock '"severity":"critical","title":"bluetooth0: the machine.s clock was set back by 3 h 00 min: until it is'
check "back: and what a restart does" told clock 'takes nobody for inside by a state that is more than 15 min off'
check "back: the status says it" status clock '"ok":false,"problems":\["clock_set_back"\].*"clock_set_back":{"since":"[^"]*","until":"[^"]*","by_s":10[78]..\..}'
check "back: files go on by what has passed" test "$(ls /out/clock-*.pcapng | wc -l)" -ge $((files + 2))
date -s "@$(($(date +%s) + 10800))"
sleep 3
check "again: it is told" told clock '"severity":"notice","title":"bluetooth0: the machine.s clock was set forward by 3 h 00 min: exits and timers go on'
stop clock
check "again: all is well" status clock '"running":false,"ok":true'
check "again: nothing was behind" sh -c '! grep -q "is behind" /out/clock.log'
check "ended with 0 ($status)" test "$status" = 0
stop vb TERM

note "=== nobody reads standard output"
start vb vhci-beacons -r 500 -t 0 -k 400 -p $IB
check "unread: hci0 is there" wait_for 5 is_there 0
up 0
mkfifo /tmp/unread
sleep 1000 <>/tmp/unread &
reader=$!
start unread sh -c "exec beacontrace live -i bluetooth0 --scan passive --self-alerts --alerts /out/unread.eve \
  --status /out/unread.status --format ndjson --sightings --no-summary >/tmp/unread"
sleep 25
check "unread: it is told at once" grep -q 'standard output is not read: what finds no room' /out/unread.log
check "unread: an alert says it" told unread 'standard output is not read'
check "unread: the status says it" status unread '"problems":\["stdout_not_read".*"stdout":{"not_shown":[0-9]*,"problem":"is not read"}'
stop unread
check "unread: ended with 74 ($status)" test "$status" = 74
kill $reader
stop vb TERM
finish
