#!/bin/sh
# Records the captures beside this script: `sudo sh test/golden/pcap/record.sh`.
# Needs iproute2, iptables, tcpdump, nginx (with stream), curl, nc, ping. Nothing outside a private
# mount and network namespace is touched.
#
#   client 172.18.0.100 ┐            ┌ node-a 172.18.0.2, cni0 10.244.0.1 ─ caller .9, echo-a .5
#   (nginx on 8080)     ├─ fabric ───┤
#                       ┘            └ node-b 172.18.0.3, cni0 10.244.1.1 ─ echo-b .5
set -eu

here=$(cd "$(dirname "$0")" && pwd)
if [ "${1-}" != inside ]; then exec unshare -mnpf --mount-proc --kill-child --propagation private sh "$here/record.sh" inside; fi
mount -t tmpfs tmpfs /run
work=$(mktemp -d /run/record.XXXXXX)
everywhere='client node-a node-b caller echo-a echo-b'

in_ns() { ip netns exec "$@"; }

make_links() {
  for ns in fabric $everywhere; do
    ip netns add "$ns"
    ip -n "$ns" link set lo up
  done
  ip -n fabric link add br0 type bridge
  ip -n fabric link set br0 up
  plug client fabric br0 172.18.0.100/16 fd00:18::100/64
  plug node-a fabric br0 172.18.0.2/16 fd00:18::2/64
  plug node-b fabric br0 172.18.0.3/16 fd00:18::3/64
  make_node node-a 0
  make_node node-b 1
  ip -n fabric address add 172.18.0.1/16 dev br0
  ip -n node-a route add default via 172.18.0.1
  ip -n node-b route add default via 172.18.0.1
  ip -n node-a route add default via fd00:18::1
  ip -n node-b route add default via fd00:18::1
  make_pod caller node-a 0 9
  make_pod echo-a node-a 0 5
  make_pod echo-b node-b 1 5
  ip -n node-a route add 10.244.1.0/24 via 172.18.0.3
  ip -n node-a route add fd00:244:0:1::/64 via fd00:18::3
  ip -n node-b route add 10.244.0.0/24 via 172.18.0.2
  ip -n node-b route add fd00:244::/64 via fd00:18::2
}

plug() { # plug NETNS BRIDGE_NETNS BRIDGE ADDRESS ADDRESS6: eth0 in NETNS, its peer veth-NETNS on the bridge
  ip -n "$2" link add "veth-$1" type veth peer name eth0 netns "$1"
  ip -n "$2" link set "veth-$1" master "$3" up
  ip -n "$1" address add "$4" dev eth0
  ip -n "$1" address add "$5" dev eth0 nodad
  ip -n "$1" link set eth0 up
}

make_node() { # make_node NETNS NUMBER
  ip -n "$1" link add cni0 type bridge
  ip -n "$1" address add "10.244.$2.1/24" dev cni0
  ip -n "$1" address add "fd00:244:0:$2::1/64" dev cni0 nodad
  ip -n "$1" link set cni0 up
  in_ns "$1" sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 \
    net.bridge.bridge-nf-call-iptables=1 net.bridge.bridge-nf-call-ip6tables=1 \
    net.ipv4.conf.all.route_localnet=1 net.ipv4.conf.all.rp_filter=0
  # Otherwise a node that forwarded for a client over the link it came from holds back its next ICMP error to it.
  in_ns "$1" sysctl -qw net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0
  rules "$2" 10.96.0 10.244.0.0/16 10.244.0.5 10.244.1.5 icmp-port-unreachable | in_ns "$1" iptables-restore
  rules "$2" fd00:10:96: fd00:244::/48 '[fd00:244::5]' '[fd00:244:0:1::5]' icmp6-port-unreachable |
    in_ns "$1" ip6tables-restore
}

make_pod() { # make_pod NETNS NODE NUMBER HOST
  plug "$1" "$2" cni0 "10.244.$3.$4/24" "fd00:244:0:$3::$4/64"
  ip -n "$2" link set "veth-$1" type bridge_slave hairpin on
  ip -n "$1" route add default via "10.244.$3.1"
  ip -n "$1" route add default via "fd00:244:0:$3::1"
}

# The shape that kube-proxy 1.36 writes, with readable chain names: Services echo (both pods, nodePort 30080), one
# (echo-a, 30081), two (echo-b, 30082), udp (echo-b, 30053), local (echo-a, externalTrafficPolicy Local, 30083), none
# (no endpoints, 30090: REJECT), local-none (Local, none on any node, 30091: DROP); cluster addresses end in 20 to 26.
rules() { # rules NODE_NUMBER SERVICES POD_CIDR ECHO_A ECHO_B REJECT_WITH
  sep() { # sep SERVICE POD ADDRESS PROTOCOL PORT
    bare=$(echo "$3" | tr -d '[]')
    echo "-A SEP-$1-$2 -s $bare -j KUBE-MARK-MASQ"
    echo "-A SEP-$1-$2 -p $4 -j DNAT --to-destination $3:$5"
  }
  case $2 in *:) ip="$2:" ;; *) ip="$2." ;; esac
  echo '*nat'
  for chain in KUBE-SERVICES KUBE-NODEPORTS KUBE-MARK-MASQ KUBE-POSTROUTING EXT-echo EXT-one EXT-two EXT-udp EXT-local \
    SVC-echo SVC-one SVC-two SVC-udp SEP-echo-a SEP-echo-b SEP-one-a SEP-two-b SEP-udp-b SEP-local-a; do
    echo ":$chain - [0:0]"
  done
  cat <<RULES
-A PREROUTING -j KUBE-SERVICES
-A OUTPUT -j KUBE-SERVICES
-A POSTROUTING -j KUBE-POSTROUTING
-A POSTROUTING -s $3 ! -d $3 -j MASQUERADE
-A KUBE-MARK-MASQ -j MARK --or-mark 0x4000
-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
-A KUBE-POSTROUTING -j MARK --xor-mark 0x4000
-A KUBE-POSTROUTING -j MASQUERADE --random-fully
-A KUBE-SERVICES -d ${ip}20 -p tcp --dport 80 -j SVC-echo
-A KUBE-SERVICES -d ${ip}21 -p tcp --dport 80 -j SVC-one
-A KUBE-SERVICES -d ${ip}22 -p tcp --dport 80 -j SVC-two
-A KUBE-SERVICES -d ${ip}23 -p udp --dport 53 -j SVC-udp
-A KUBE-SERVICES -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS
-A KUBE-NODEPORTS -p tcp --dport 30080 -j EXT-echo
-A KUBE-NODEPORTS -p tcp --dport 30081 -j EXT-one
-A KUBE-NODEPORTS -p tcp --dport 30082 -j EXT-two
-A KUBE-NODEPORTS -p udp --dport 30053 -j EXT-udp
-A KUBE-NODEPORTS -p tcp --dport 30083 -j EXT-local
-A SVC-echo -m statistic --mode random --probability 0.5 -j SEP-echo-a
-A SVC-echo -j SEP-echo-b
-A SVC-one -j SEP-one-a
-A SVC-two -j SEP-two-b
-A SVC-udp -j SEP-udp-b
RULES
  for service in echo one two udp; do
    echo "-A EXT-$service -j KUBE-MARK-MASQ"
    echo "-A EXT-$service -j SVC-$service"
  done
  if [ "$1" = 0 ]; then echo '-A EXT-local -j SEP-local-a'; fi
  sep echo a "$4" tcp 80
  sep echo b "$5" tcp 80
  sep one a "$4" tcp 80
  sep two b "$5" tcp 80
  sep udp b "$5" udp 53
  sep local a "$4" tcp 80
  cat <<RULES
COMMIT
*filter
-A INPUT -p tcp --dport 30090 -j REJECT --reject-with $6
-A INPUT -p tcp --dport 30091 -j DROP
-A FORWARD -d ${ip}25 -p tcp --dport 80 -j REJECT --reject-with $6
-A OUTPUT -d ${ip}25 -p tcp --dport 80 -j REJECT --reject-with $6
COMMIT
RULES
}

serve() { # serve NETNS HTTP_PORT
  mkdir "$work/$1"
  cat >"$work/$1/nginx.conf" <<CONF
load_module modules/ngx_stream_module.so;
daemon off; master_process off; error_log stderr error; pid $work/$1/pid;
events {}
http { access_log off; client_body_temp_path $work/$1/c; proxy_temp_path $work/$1/p; fastcgi_temp_path $work/$1/f;
  uwsgi_temp_path $work/$1/u; scgi_temp_path $work/$1/s;
  server { listen $2; listen [::]:$2; return 200 "$1 \$remote_addr\n"; } }
stream { server { listen 53 udp; listen [::]:53 udp; return "$1 \$remote_addr\n"; } }
CONF
  modules=$(nginx -V 2>&1 | tr ' ' '\n' | sed -n 's/^--modules-path=//p')
  sed -i "s|modules/ngx|${modules:-/usr/lib/nginx/modules}/ngx|" "$work/$1/nginx.conf"
  ip netns exec "$1" nginx -c "$work/$1/nginx.conf" &
  servers="${servers-} $!"
  until curl_in "$1" "http://127.0.0.1:$2/"; do :; done
}

curl_in() { in_ns "$1" curl -so /dev/null --max-time 1 "$2"; }

# record CASE COMMAND…: runs the command while every namespace is captured. A last ping inside each namespace tells
# that tcpdump has written all that came before it; it is left out of the recording, as is neighbour discovery.
record() {
  out="$here/$1"
  # Of many connections their beginnings and ends are enough.
  if [ "$1" = nodeport-parallel ]; then tcp='tcp[tcpflags] & (tcp-syn|tcp-fin|tcp-rst) != 0'; else tcp=tcp; fi
  shift
  mkdir -p "$out"
  dumps=
  for ns in $everywhere; do
    ip netns exec "$ns" tcpdump -i any -y LINUX_SLL2 --immediate-mode -s 192 -U -Z root -w "$work/$ns.pcap" \
      2>"$work/dump-$ns" &
    dumps="$dumps $!"
  done
  for ns in $everywhere; do until grep -q 'listening on' "$work/dump-$ns"; do :; done; done
  "$@" || true
  for ns in $everywhere; do
    in_ns "$ns" ping -qc 1 -p 656e64 127.0.0.1
    until grep -q endendend "$work/$ns.pcap"; do :; done
  done
  kill -TERM $dumps
  wait $dumps || true
  for ns in $everywhere; do
    tcpdump -Z root -r "$work/$ns.pcap" -w "$out/$ns.pcap" \
      "($tcp) or udp or (icmp and not host 127.0.0.1) or (icmp6 and not (ip6[40] >= 130 and ip6[40] <= 143))" \
      2>"$work/dump-$ns"
    if [ "$(wc -c <"$out/$ns.pcap")" -le 24 ]; then rm "$out/$ns.pcap"; fi
  done
}

udp_once() { echo "$4" | in_ns "$1" timeout 1 nc -u -W 1 "$2" "$3"; }

many() { # many FROM URL COUNT: all at once
  set -- "$1" "$2" "$(seq -f '-o /dev/null %.0f' "$3" | sed "s|[0-9]*\$|$2|" | tr '\n' ' ')"
  # shellcheck disable=SC2086
  in_ns "$1" curl -sS --no-progress-meter --max-time 3 --parallel --parallel-immediate --parallel-max 50 -H 'Connection: close' $3
}

all_cases() {
  record nodeport-same-node curl_in client http://172.18.0.2:30081/
  record nodeport-other-node curl_in client http://172.18.0.2:30082/
  record nodeport-local curl_in client http://172.18.0.2:30083/
  record nodeport-parallel many client http://172.18.0.2:30080/ 40
  record clusterip-same-node curl_in caller http://10.96.0.21/
  record clusterip-other-node curl_in caller http://10.96.0.22/
  record hairpin curl_in echo-a http://10.96.0.21/
  record egress curl_in caller http://172.18.0.100:8080/
  record refused-reject curl_in client http://172.18.0.2:30090/
  record refused-closed curl_in client http://172.18.0.2:30099/
  record refused-pod curl_in caller http://10.96.0.25/
  record refused-node curl_in node-a http://10.96.0.25/
  record unreachable in_ns client curl -so /dev/null --max-time 5 http://172.18.0.200/
  record no-answer curl_in client http://172.18.0.2:30091/
  record node-nodeport curl_in node-a http://172.18.0.2:30082/
  record node-localhost curl_in node-a http://127.0.0.1:30081/
  record node-clusterip curl_in node-a http://10.96.0.22/
  record udp udp_once client 172.18.0.2 30053 hello
  record udp-refused udp_once client 172.18.0.2 30054 hello
  record ping in_ns client ping -qnc 2 -i 0.01 172.18.0.2
  record ping-masqueraded in_ns caller ping -qnc 1 172.18.0.100
  record ipv6-nodeport curl_in client 'http://[fd00:18::2]:30082/'
  record ipv6-clusterip curl_in caller 'http://[fd00:10:96::21]/'
  record ipv6-refused curl_in caller 'http://[fd00:10:96::25]/'
  record ipv6-udp udp_once client fd00:18::2 30053 hello
}

make_links
serve client 8080
serve echo-a 80
serve echo-b 80
mkdir -p "$here/links"
for ns in $everywhere; do ip -n "$ns" -o link show >"$here/links/$ns.txt"; done
all_cases >/dev/null
kill $servers
