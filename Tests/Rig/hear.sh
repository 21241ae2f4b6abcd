# One controller advertises, the other listens: what live hears through both interfaces, what its
# rules say, and that what it records is what tcpdump records.
. /rig.sh
modprobe bluetooth
modprobe hci_vhci

rules="--set exit_after=3 --plugin /extra/door.lua --quiet
  --region ib=ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0
  --region url=url:https://example.com
  --region uid=eddystone:00010203040506070809"
listen() { # listen NAME INTERFACE ENDING
  # shellcheck disable=SC2086
  start "$1" beacontrace live -i "$2" --format ndjson --sightings --no-summary --plugins-as-root $rules \
    --write "/out/$1.$3" --alerts "/out/$1.eve" --status "/out/$1.status"
}
record() { start "$1" tcpdump -Z root -U -n -i "$2" -w "/out/$1.pcap"; }
# The packets of a recording, as tcpdump writes them, are those that tcpdump recorded. The kernel greets
# each socket on the monitor with notes of their own times, hands packets of two controllers on in any
# order within some microseconds, and whatever is ended last has a packet more.
same() { # same RECORDED TCPDUMP
  case $1 in
    *.btsnoop) cp "$1" /tmp/ours.recording ;;
    *) tcpdump -Z root -r "$1" -w /tmp/ours.recording ;;
  esac
  packets /tmp/ours.recording | grep -v ' ffff000c' | sort >/tmp/ours
  packets "$2" | grep -v ' ffff000c' | sort >/tmp/theirs
  last=$(tail -n 1 /tmp/ours)
  sed -n "1,/^$last\$/p" /tmp/theirs >/tmp/until
  echo "$(wc -l </tmp/ours) packets, $(wc -l </tmp/theirs) of tcpdump, $(wc -l </tmp/until) until the end"
  [ -s /tmp/ours ] && cmp /tmp/ours /tmp/until
}
has() { grep -q "$2" "/out/$1.log"; }
alerts() { grep -q "$2" "/out/$1.eve"; }

beacontrace interfaces >/out/interfaces.txt
record tcpdump-monitor bluetooth-monitor
listen monitor bluetooth-monitor pcapng
listen monitor-snoop bluetooth-monitor btsnoop
sleep 2
start btvirt btvirt -l2
check "hci0 appears" wait_for 10 is_there 0
check "hci1 appears" wait_for 10 is_there 1
check "hci0 up" up 0
check "hci1 up" up 1
record tcpdump-hci bluetooth0
listen hci bluetooth0 pcapng
listen hci-snoop bluetooth0 btsnoop
# Longer than the exit period: what comes then enters.
sleep 5

check "scan parameters" scan_params 0
check "scan on" scan_on 0
check "advertising parameters" adv_params 1
for p in "$IBEACON" "$EDDY_URL" "$EDDY_UID"; do
  check "advertising data" adv_data 1 "$p"
  for i in 1 2 3; do adv_on 1 >/dev/null; sleep 0.2; adv_off 1 >/dev/null; done
done
scan_off 0 >/dev/null
sleep 5
check "extended scan parameters" ext_scan_params 0
check "extended scan on" ext_scan_on 0
ext_adv_params 1 "0x00 0x00" >/dev/null
for p in "$IBEACON" "$EDDY_URL" "$EDDY_UID"; do
  ext_adv_data 1 "$p" >/dev/null
  for i in 1 2 3; do ext_adv_on 1 >/dev/null; sleep 0.3; ext_adv_off 1 >/dev/null; done
done
# Silence: exits by the clock alone.
sleep 5
for l in hci hci-snoop monitor-snoop monitor; do
  stop $l INT
  check "$l ended with 0 ($status)" test "$status" = 0
done
for t in tcpdump-monitor tcpdump-hci; do stop $t; done
stop btvirt TERM

for l in monitor monitor-snoop hci hci-snoop; do
  for region in ib url uid; do
    check "$l: enter $region" has $l "\"type\":\"enter\".*\"region\":\"$region\""
    check "$l: exit $region" has $l "\"type\":\"exit\".*\"region\":\"$region\""
    check "$l: alert came: $region" alerts $l "came: $region"
  done
  check "$l: its status says that it ended well" grep -q '"running":false,"ok":true' "/out/$l.status"
  check "$l: iBeacon sightings" has $l '"kind":"ibeacon"'
  check "$l: Eddystone-URL sightings" has $l '"kind":"eddystone-url"'
  check "$l: Eddystone-UID sightings" has $l '"kind":"eddystone-uid"'
done
check "monitor.pcapng is what tcpdump recorded" same /out/monitor.pcapng /out/tcpdump-monitor.pcap
check "hci.pcapng is what tcpdump recorded" same /out/hci.pcapng /out/tcpdump-hci.pcap
check "monitor-snoop.btsnoop is what tcpdump recorded" \
  same /out/monitor-snoop.btsnoop /out/tcpdump-monitor.pcap
check "hci-snoop.btsnoop is what tcpdump recorded" \
  same /out/hci-snoop.btsnoop /out/tcpdump-hci.pcap
# A later analysis says the same as the live one: sightings, and events with their ids.
lines() { sed 's/"capture":"[^"]*"//g; s/"observer":"[^"]*"//g' "$1"; }
for l in monitor monitor-snoop hci hci-snoop; do
  case $l in *snoop) f=/out/$l.btsnoop ;; *) f=/out/$l.pcapng ;; esac
  beacontrace sightings --format ndjson "$f" | lines - >/tmp/later
  grep '"report":' "/out/$l.log" | lines - >/tmp/then
  check "$l: the sightings of its recording" sh -c "[ -s /tmp/then ] && cmp /tmp/then /tmp/later"
done
# And the same events: those of the file are all among the live ones, which have those of the silence
# behind its last record, too.
ids() { grep -o '^{"id":"[^"]*"' "$1" | sort -u; }
for l in monitor hci; do
  case $l in monitor) i=bluetooth-monitor ;; *) i=bluetooth0 ;; esac
  # shellcheck disable=SC2086
  beacontrace events --format ndjson --observer "$i=/out/$l.pcapng" $rules /out/$l.pcapng |
    grep -v '"type":"proximity"' >/out/events-$l.ndjson
  ids /out/events-$l.ndjson >/tmp/later
  ids /out/$l.log >/tmp/then
  check "$l: the events of its recording were told" sh -c \
    "[ -s /tmp/later ] && comm -23 /tmp/later /tmp/then | tee /tmp/missing && [ ! -s /tmp/missing ]"
done
for f in monitor.pcapng monitor-snoop.btsnoop hci.pcapng hci-snoop.btsnoop; do
  beacontrace info "/out/$f" >"/out/info-$f.txt"
done
finish
