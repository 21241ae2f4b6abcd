# What somebody without rights, without a controller or behind a switch is told.
. /rig.sh
U="/usr/bin/setpriv --reuid=1000 --regid=1000 --clear-groups"
say() { echo "--- $*"; "$@"; echo "--- exit status $?"; }

echo /bin/false >/proc/sys/kernel/modprobe
note "=== no Bluetooth in the kernel"
say beacontrace live -i bluetooth-monitor
say beacontrace interfaces
say beacontrace doctor
echo /sbin/modprobe >/proc/sys/kernel/modprobe
modprobe hci_vhci
note "=== no controller"
say beacontrace live -i bluetooth0
say beacontrace interfaces
say beacontrace doctor
start btvirt btvirt -l2
wait_for 10 is_there 1
note "=== a controller that is down"
say beacontrace doctor
up 0
note "=== no permission"
say $U beacontrace live -i bluetooth-monitor
say $U beacontrace live -i bluetooth0
say $U beacontrace interfaces
say $U beacontrace doctor
note "=== cap_net_raw alone"
cp /usr/bin/beacontrace /tmp/bt
chmod 755 /tmp/bt
setcap cap_net_raw+ep /tmp/bt
start capable $U /tmp/bt live -i bluetooth-monitor --quiet --no-summary --plugin /extra/door.lua --scan passive
sleep 3
check "runs with cap_net_raw alone" kill -0 "$(cat /tmp/capable.pid)"
say $U /tmp/bt doctor
stop capable
check "ended with 0 ($status)" test "$status" = 0
cat /out/capable.log
note "=== root and plugins"
say beacontrace live -i bluetooth-monitor --plugin /extra/door.lua
start dropped beacontrace live -i bluetooth-monitor --quiet --no-summary --plugin /extra/door.lua --user user
sleep 2
grep -E '^(Uid|CapEff)' "/proc/$(cat /tmp/dropped.pid)/status"
check "runs as the user" grep -qE '^Uid:.*1000.*1000.*1000.*1000' "/proc/$(cat /tmp/dropped.pid)/status"
stop dropped
check "ended with 0 ($status)" test "$status" = 0
note "=== behind rfkill"
for s in /sys/class/rfkill/rfkill*; do echo 1 >"$s/soft"; done 2>/dev/null
say beacontrace doctor
say timeout -s INT 3 beacontrace live -i bluetooth-monitor --scan passive --quiet --no-summary
stop btvirt TERM
finish
