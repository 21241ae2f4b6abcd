# How long after the kernel's time stamp an alert is on standard output.
. /rig.sh
modprobe hci_vhci
IB=0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5
mkfifo /tmp/lines
stamp </tmp/lines >/out/stamped.log &
start live sh -c 'exec beacontrace live -i bluetooth-monitor --format ndjson --quiet --no-summary \
  --plugin /extra/each.lua --plugins-as-root --no-reload >/tmp/lines'
sleep 2
start vb vhci-beacons -r 50 -t 20 -p $IB -S 25 -k 1
wait_for 5 is_there 0
up 0
scan_params 0 >/dev/null
scan_on 0 >/dev/null
wait "$(cat /tmp/vb.pid)"
sleep 1
stop live
sleep 1
check "alerts came" grep -q '"type":"alert"' /out/stamped.log
finish
