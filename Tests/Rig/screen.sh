# The screen of a live run on a real terminal and a real kernel: what it shows of beacons, regions and
# alerts, of a controller that goes and comes, and that it gives the terminal back.
. /rig.sh
modprobe hci_vhci
IB=0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5
region="--region ib=ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0"
beacons() { # beacons SECONDS: a controller that hears beacons, for so long
  start vb vhci-beacons -r 50 -t "$1" -p $IB -S 25 -k 1
  check "hci0 is there" wait_for 5 is_there 0
  up 0
  scan_params 0 >/dev/null
  scan_on 0 >/dev/null
}
shows() { grep -q "$2" "/out/$1.shown"; }
mkdir -p /dev/pts
mount -t devpts devpts /dev/pts
mkfifo /tmp/keys
exec 4<>/tmp/keys

note "=== beacons, a region; the controller goes and comes; an alert; q"
beacons 12
# shellcheck disable=SC2086
# In the background a shell takes the keyboard away.
start screen sh -c 'TERM=xterm terminal 80 24 /out/screen.shown "$@" </tmp/keys; echo "ended with $?"' terminal \
  beacontrace live -i bluetooth0 --screen --set exit_after=3 \
  --plugin /extra/door.lua --plugins-as-root $region --write /out/screen.pcapng
sleep 5
check "it is on a screen of its own" shows screen '\[?1049h'
check "a region is inside" shows screen 'ib.*inside'
check "beacons are there" shows screen 'iBeacon e2c5…96e0:0:.* dBm'
printf '?' >&4
sleep 1
check "the help is there" shows screen 'this, and back'
printf '?' >&4
wait "$(cat /tmp/vb.pid)"
sleep 5
check "it still runs" kill -0 "$(cat /tmp/screen.pid)"
check "it says that the controller has gone" shows screen 'bluetooth0 has gone'
check "nothing is captured meanwhile" shows screen 'NOT CAPTURING'
cp /out/screen.shown /tmp/before
beacons 8
sleep 5
later() { tail -c +"$(wc -c </tmp/before)" /out/screen.shown | grep -q "$1"; }
check "the region is entered" later 'enter *ib'
check "the alert is there" later 'last alert: .*came: ib'
check "it hears again" later 'capturing went on'
printf 'q' >&4
sleep 2
check "q ends it" sh -c '! kill -0 "$(cat /tmp/screen.pid)"'
check "the terminal is given back, and the summary behind it" \
  sh -c 'tr "\033" "\n" </out/screen.shown | sed "1,/^\[?1049l/d" | grep -q REGIONS'
check "its status is 0" grep -q '^ended with 0$' /out/screen.log
check "its recording is readable" beacontrace info -q /out/screen.pcapng
stop vb TERM
finish
