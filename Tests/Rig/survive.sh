# Controllers that go and come, a reader that stands still, a full disk, kill -9.
. /rig.sh
modprobe hci_vhci
IB=0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5
region="--region ib=ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0"
beacons() { # beacons NAME RATE SECONDS: a controller that hears beacons
  start "$1" vhci-beacons -r "$2" -t "$3" -p $IB -S 25 -k 1
  wait_for 5 is_there 0
  up 0
  scan_params 0 >/dev/null
  scan_on 0 >/dev/null
}
readable() { beacontrace info "$1" >/tmp/info 2>&1; }

note "=== a controller that goes and comes again"
beacons vb 50 8
for i in bluetooth-monitor bluetooth0; do
  # shellcheck disable=SC2086
  start "gone-$i" beacontrace live -i $i --format ndjson --quiet --no-summary --set exit_after=3 $region \
    --write "/out/gone-$i.pcapng"
done
sleep 2
wait "$(cat /tmp/vb.pid)"
sleep 4
beacons vb 50 5
wait "$(cat /tmp/vb.pid)"
sleep 5
for i in bluetooth-monitor bluetooth0; do
  check "$i: still runs" kill -0 "$(cat /tmp/gone-$i.pid)"
  stop "gone-$i"
  check "$i: ended with 0 ($status)" test "$status" = 0
  check "$i: heard what came later" grep -q '"type":"enter"\|"state":"inside"' "/out/gone-$i.log"
  check "$i: an exit that is deaf" grep -q '"type":"exit".*"grade":"deaf"' "/out/gone-$i.log"
  check "$i: readable" readable "/out/gone-$i.pcapng"
done
check "bluetooth0: the gap is told" grep -q '"type":"observer".*capture_off' /out/gone-bluetooth0.log
check "bluetooth0: it went on" grep -q '"type":"observer".*capture_on' /out/gone-bluetooth0.log

note "=== a controller that live itself scans on goes, and comes again"
plain() { start "$1" vhci-beacons -r "$2" -t "$3" -p $IB -S 25 -k 1; }
plain vb 50 8
check "scans: hci0 is there" wait_for 5 is_there 0
# shellcheck disable=SC2086
start scans beacontrace live -i bluetooth0 --scan passive --power-up --format ndjson --no-summary \
  --set exit_after=3 $region
wait "$(cat /tmp/vb.pid)"
sleep 4
plain vb 50 12
# While anything of the run held the controller that has gone, this one would be hci1.
check "scans: it comes back as hci0" wait_for 5 is_there 0
sleep 8
check "scans: still runs" kill -0 "$(cat /tmp/scans.pid)"
hciconfig hci0 down
sleep 3
stop scans
check "scans: ended with 0 ($status)" test "$status" = 0
# One that was down does not come to its end.
stop vb TERM
check "scans: says what it waits for" grep -q 'bluetooth0 has gone. It is captured again' /out/scans.log
check "scans: heard what came later" grep -q '"type":"enter"' /out/scans.log
check "scans: that it had gone, and that it was down, is told" \
  test "$(grep -c '"type":"observer".*capture_off' /out/scans.log)" -ge 2

note "=== down and up"
# shellcheck disable=SC2086
start updown beacontrace live -i bluetooth-monitor --format ndjson --quiet --no-summary $region
sleep 1
beacons vb 50 6
sleep 1
hciconfig hci0 down
sleep 1
up 0
scan_params 0 >/dev/null
scan_on 0 >/dev/null
wait "$(cat /tmp/vb.pid)"
stop updown
check "down and up: ended with 0 ($status)" test "$status" = 0

note "=== a reader that stands still for three seconds, at 1000 a second"
# shellcheck disable=SC2086
start still beacontrace live -i bluetooth-monitor --format ndjson --quiet $region --write /out/still.pcapng
sleep 1
beacons vb 1000 8
sleep 1
kill -STOP "$(cat /tmp/still.pid)"
sleep 3
kill -CONT "$(cat /tmp/still.pid)"
wait "$(cat /tmp/vb.pid)"
sleep 1
stop still
sent=$(grep -oE '[0-9]+ reports' /out/vb.log | tail -n 1 | cut -d' ' -f1)
seen=$(beacontrace sightings --format ndjson --quiet /out/still.pcapng | wc -l)
lost=$(grep -oE '[0-9 ]+ packets? lost in the kernel' /out/still.log | tr -dc '0-9')
note "STILL sent $sent seen $seen lost ${lost:-0}"
check "seen and lost are sent" \
  test $((seen + ${lost:-0} - sent)) -ge -1 -a $((seen + ${lost:-0} - sent)) -le 1

note "=== a reader of standard output that stands still"
mkfifo /tmp/unread
sleep 1000 <>/tmp/unread &
start stuck sh -c "exec beacontrace live -i bluetooth-monitor --format ndjson --sightings \
  --write /out/stuck.pcapng >/tmp/unread"
sleep 1
beacons vb 1000 8
wait "$(cat /tmp/vb.pid)"
sleep 1
stop stuck
sent=$(grep -oE '[0-9]+ reports' /out/vb.log | tail -n 1 | cut -d' ' -f1)
seen=$(beacontrace sightings --format ndjson --quiet /out/stuck.pcapng | wc -l)
note "STUCK sent $sent seen $seen status $status"
check "stuck: all is recorded" test "$seen" = "$sent"
check "stuck: it ends, with 74 ($status)" test "$status" = 74
check "stuck: it says so" grep -q 'standard output is not read' /out/stuck.log

note "=== a disk that fills"
mkdir /small
mount -t tmpfs -o size=300k tmpfs /small
# shellcheck disable=SC2086
start full beacontrace live -i bluetooth-monitor --format ndjson --quiet $region --write /small/full.pcapng
sleep 1
beacons vb 1000 8
wait "$(cat /tmp/vb.pid)"
sleep 1
check "full: still runs" kill -0 "$(cat /tmp/full.pid)"
stop full
tail -n 3 /out/full.log
check "full: it says what is not recorded" grep -q 'could not be recorded' /out/full.log
check "full: its file is readable" readable /small/full.pcapng
umount /small

note "=== kill -9 while writing, and a start again"
# shellcheck disable=SC2086
start killed beacontrace live -i bluetooth-monitor --format ndjson --quiet --no-summary $region \
  --set exit_after=10 --write /out/killed.pcapng --state /tmp/state.json
sleep 12
beacons vb 200 25
sleep 8
kill -9 "$(cat /tmp/killed.pid)"
sleep 1
# shellcheck disable=SC2086
start again beacontrace live -i bluetooth-monitor --format ndjson --quiet --no-summary $region \
  --set exit_after=10 --write /out/again.pcapng --state /tmp/state.json
wait "$(cat /tmp/vb.pid)"
sleep 12
stop again
cat /out/killed.log /out/again.log | grep -E '"type":"(enter|exit|state)"' >/out/killed-events.log
check "killed: inside before" grep -q '"type":"\(enter\|state\)".*"state":"inside"' /out/killed.log
check "again: no entry of its own" sh -c '! grep -q "\"type\":\"enter\"\|\"type\":\"state\"" /out/again.log'
check "again: the exit, once" test "$(grep -c '"type":"exit"' /out/again.log)" = 1
check "killed: its file is readable" readable /out/killed.pcapng
recorded=$(beacontrace sightings --format ndjson --quiet /out/killed.pcapng | wc -l)
note "KILLED recorded $recorded sightings"
finish
