# A run that is watched over: what it says of itself when a controller hangs, is pulled out, or is down.
. /rig.sh
modprobe hci_vhci
IB=0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5
region="--region ib=ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0"
watch() { # watch NAME INTERFACE OPTIONS…
  name=$1 interface=$2
  shift 2
  # shellcheck disable=SC2086
  start "$name" beacontrace live -i "$interface" --set exit_after=3 $region --self-alerts \
    --alerts "/out/$name.eve" --status "/out/$name.status" "$@"
}
status() { cat "/out/$1.status" >>"/out/$1.statuses" && grep -q "$2" "/out/$1.status"; }
told() { grep -q "\"category\":\"beacontrace\".*$2" "/out/$1.eve"; }

note "=== a controller that hangs: it scans, and nothing comes"
start vb vhci-beacons -r 20 -t 10 -k 70 -p $IB
check "hangs: hci0 is there" wait_for 5 is_there 0
up 0
watch hangs bluetooth0 --scan passive
sleep 6
check "hangs: all is well at first" status hangs '"ok":true,"problems":\[\].*"scanning":true'
sleep 44
check "hangs: the status says that nobody is heard" status hangs '"ok":false,"problems":\["silent"\]'
stop hangs
check "hangs: ended with 0 ($status)" test "$status" = 0
check "hangs: it is told" grep -q 'bluetooth0: nobody was heard for 3. s; before that' /out/hangs.log
check "hangs: an alert says it" told hangs 'nobody was heard for'
check "hangs: until when it ran" grep -q 'Nothing came for the last' /out/hangs.log
check "hangs: the status says that it has ended" status hangs '"running":false'
stop vb TERM

note "=== two controllers, the one that scans is pulled out"
start one vhci-beacons -r 20 -t 0 -p $IB
check "pulled: hci0 is there" wait_for 5 is_there 0
up 0
start other vhci-beacons -r 20 -t 0 -p $IB
check "pulled: hci1 is there" wait_for 5 is_there 1
up 1
watch pulled bluetooth-monitor --scan passive --format ndjson --no-summary
sleep 5
stop one TERM
sleep 8
check "pulled: the other one scans" grep -q 'hci0 has gone: hci1 scans now' /out/pulled.log
check "pulled: it hears" grep -q '"type":"enter".*"observer":"bluetooth-monitor/hci1"\|"observer":"bluetooth-monitor/hci1".*"state":"inside"' /out/pulled.log
check "pulled: an alert says it" told pulled 'hci1 scans now'
stop pulled
check "pulled: ended with 0 ($status)" test "$status" = 0

note "=== down the whole time"
hciconfig hci1 down
watch down bluetooth1
sleep 8
check "down: the status says it" status down '"problems":\["controller_down"'
check "down: an alert says it" told down 'bluetooth1 is down'
stop down
check "down: that nothing came is told as that" grep -q 'nothing came: not one packet' /out/down.log
check "down: no pause of no length" sh -c '! grep -q "for 0 ms" /out/down.log'

note "=== all controllers: down, none at all, and one that comes"
watch none bluetooth-monitor
sleep 4
check "none: the status says that no controller is up" wait_for 60 status none '"problems":\["controller_down"\].*"capturing":false,"scanning":false'
check "none: an alert says it" wait_for 10 told none 'No controller is up: nothing is heard until one is'
stop other TERM
sleep 3
check "none: nor is one there" status none '"problems":\["controller_down"\]'
start late vhci-beacons -r 20 -t 0 -p $IB
check "none: one comes" wait_for 5 is_there 0
up 0
sleep 4
check "none: the status says that one is up, and that nobody scans" wait_for 60 status none '"ok":false,"problems":\["not_scanning"\].*"capturing":true'
check "none: an alert says that, too" wait_for 10 told none 'A controller is up: what it hears is captured'
stop none
check "none: ended with 0 ($status)" test "$status" = 0
hciconfig hci0 down
watch scans bluetooth-monitor --scan passive
sleep 4
check "scans: the status says that no controller is up" wait_for 60 status scans '"problems":\["controller_down"\].*"scanning":false'
check "scans: an alert says it, once" sh -c '[ "$(grep -c "is down" /out/scans.eve)" = 1 ]'
stop scans
stop late TERM
finish
