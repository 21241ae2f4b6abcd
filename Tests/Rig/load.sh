# How many reports are seen at so many a second, and that none is missing without being told.
# RATES, SECONDS_EACH and READERS (lists with commas) say what is tried.
. /rig.sh
modprobe hci_vhci
IB=0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010002c5
rates=$(echo "${RATES:-1000 5000 20000}" | tr , " ")
seconds=${SECONDS_EACH:-4}
readers=$(echo "${READERS:-live small}" | tr , " ")

begin() { # begin READER FILE
  case $1 in
    live) start reader beacontrace live -i bluetooth-monitor --format ndjson --quiet --write "$2.pcapng" ;;
    # As small as the system has it: then packets are lost, and that is told.
    small)
      start reader beacontrace live -i bluetooth-monitor --format ndjson --quiet --buffer 4k \
        --write "$2.pcapng"
      ;;
    tcpdump) start reader tcpdump -Z root -i bluetooth-monitor -w "$2.pcap" ;;
    # It prints every packet, too: more than there is memory for.
    btmon) start reader sh -c "exec btmon -w $2.btsnoop >/dev/null" ;;
  esac
}
for rate in $rates; do
  for reader in $readers; do
    begin "$reader" "/tmp/$reader"
    sleep 1
    start vb vhci-beacons -r "$rate" -t "$seconds" -p $IB -S 25 -k 2
    wait_for 5 is_there 0
    up 0
    sleep 0.5
    scan_params 0 >/dev/null
    scan_on 0 >/dev/null
    wait "$(cat /tmp/vb.pid)"
    sleep 1
    stop reader
    sent=$(grep -oE '[0-9]+ reports' /out/vb.log | tail -n 1 | cut -d' ' -f1)
    file=$(ls /tmp/$reader.*)
    seen=$(beacontrace sightings --format ndjson --quiet "$file" | wc -l)
    lost=$(grep -oE '[0-9 ]+ packets? lost in the kernel' /out/reader.log | tr -dc '0-9')
    note "LOAD rate $rate reader $reader sent $sent seen $seen lost ${lost:-0} status $status"
    cp /out/reader.log "/out/$reader-$rate.log"
    cp /out/vb.log "/out/vb-$reader-$rate.log"
    rm -f "$file"
    if [ "$reader" = small ]; then
      # Some of what was lost may have been no report.
      check "$rate/s, small buffer: seen and lost are sent" \
        test $((seen + ${lost:-0} - sent)) -ge -1 -a $((seen + ${lost:-0} - sent)) -le 30
      events=$(grep -o '"packets_lost":[0-9]*' /out/reader.log | cut -d: -f2 | awk '{ n += $1 } END { print n + 0 }')
      check "$rate/s, small buffer: the events tell the same" test "$events" = "${lost:-0}"
    fi
    if [ "$reader" = live ]; then
      # The kernel's own count may be off by one.
      check "$rate/s: seen and lost are sent" \
        test $((seen + ${lost:-0} - sent)) -ge -1 -a $((seen + ${lost:-0} - sent)) -le 1
      case $rate in 1000 | 5000) check "$rate/s: none lost" test "$seen" = "$sent" ;; esac
    fi
  done
done
finish
