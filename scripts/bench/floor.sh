#!/bin/sh
# The nodeport lab by hand: what a person who knows the tools would type, with nothing in between. The benchmark
# measures vethlab against it. Same namespaces, servers, rules, sysctls, captures, requests and readings as labs/nodeport.
# Runs as: unshare --mount --net --pid --fork --kill-child --mount-proc sh floor.sh REQUESTS
set -eu
requests=${1:-200}
mount -t tmpfs tmpfs /run
mkdir -p /run/netns
cd /run

ip -batch - <<'IP'
netns add node-a
netns add node-b
netns add client
netns add pod-a
netns add pod-b
link add fabric type bridge
addr add 172.18.0.1/16 dev fabric
link set lo up
link set fabric up
link add eth0 netns node-a type veth peer name to-node-a
link set to-node-a master fabric up
link add eth0 netns node-b type veth peer name to-node-b
link set to-node-b master fabric up
link add eth0 netns client type veth peer name to-client
link set to-client master fabric up
link add cni0 netns node-a type bridge
link add cni0 netns node-b type bridge
link add eth0 netns pod-a type veth peer name veth0 netns node-a
link add eth0 netns pod-b type veth peer name veth0 netns node-b
IP

node() { # name, address, pod network's third byte, the other's address and third byte
  ip -n "$1" -batch - <<IP
link set lo up
addr add $2/16 dev eth0
link set eth0 up
addr add 10.244.$3.1/24 dev cni0
link set cni0 up
link set veth0 master cni0 up
link set veth0 type bridge_slave hairpin on
route add 10.244.$5.0/24 via $4
route add default via 172.18.0.1
IP
}
pod() { # name, third byte
  ip -n "$1" -batch - <<IP
link set lo up
addr add 10.244.$2.2/24 dev eth0
link set eth0 up
route add default via 10.244.$2.1
IP
}
client() {
  ip -n client -batch - <<'IP'
link set lo up
addr add 172.18.1.2/16 dev eth0
link set eth0 up
route add default via 172.18.0.1
IP
}
sysctls() {
  nsenter --net=/run/netns/"$1" sysctl -q -w net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=0 \
    net.ipv4.conf.default.rp_filter=0 net.ipv4.conf.eth0.rp_filter=0 net.bridge.bridge-nf-call-iptables=1 \
    net.ipv4.conf.all.route_localnet=1
}
rules() {
  nsenter --net=/run/netns/"$1" iptables-restore <<'RULES'
*filter
:KUBE-EXTERNAL-SERVICES - [0:0]
:KUBE-FORWARD - [0:0]
:KUBE-SERVICES - [0:0]
-A INPUT -m conntrack --ctstate NEW -j KUBE-EXTERNAL-SERVICES
-A FORWARD -j KUBE-FORWARD
-A FORWARD -m conntrack --ctstate NEW -j KUBE-SERVICES
-A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP
-A KUBE-FORWARD -m mark --mark 0x4000/0x4000 -j ACCEPT
-A KUBE-FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
COMMIT
*nat
:KUBE-EXT-A - [0:0]
:KUBE-MARK-MASQ - [0:0]
:KUBE-NODEPORTS - [0:0]
:KUBE-POSTROUTING - [0:0]
:KUBE-SEP-A - [0:0]
:KUBE-SEP-B - [0:0]
:KUBE-SERVICES - [0:0]
:KUBE-SVC-A - [0:0]
-A PREROUTING -j KUBE-SERVICES
-A OUTPUT -j KUBE-SERVICES
-A POSTROUTING -j KUBE-POSTROUTING
-A KUBE-EXT-A -j KUBE-MARK-MASQ
-A KUBE-EXT-A -j KUBE-SVC-A
-A KUBE-MARK-MASQ -j MARK --or-mark 0x4000
-A KUBE-NODEPORTS -p tcp -m tcp --dport 30080 -j KUBE-EXT-A
-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
-A KUBE-POSTROUTING -j MARK --xor-mark 0x4000
-A KUBE-POSTROUTING -j MASQUERADE --random-fully
-A KUBE-SEP-A -s 10.244.1.2/32 -j KUBE-MARK-MASQ
-A KUBE-SEP-A -p tcp -m tcp -j DNAT --to-destination 10.244.1.2:80
-A KUBE-SEP-B -s 10.244.2.2/32 -j KUBE-MARK-MASQ
-A KUBE-SEP-B -p tcp -m tcp -j DNAT --to-destination 10.244.2.2:80
-A KUBE-SERVICES -d 10.96.0.10/32 -p tcp -m tcp --dport 80 -j KUBE-SVC-A
-A KUBE-SERVICES -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS
-A KUBE-SVC-A ! -s 10.244.0.0/16 -d 10.96.0.10/32 -p tcp -m tcp --dport 80 -j KUBE-MARK-MASQ
-A KUBE-SVC-A -m statistic --mode random --probability 0.5 -j KUBE-SEP-A
-A KUBE-SVC-A -j KUBE-SEP-B
COMMIT
RULES
}
server() {
  cat >"/run/$1.conf" <<NGINX
daemon on; master_process off; pid /run/$1.pid; error_log /run/$1.log;
events {}
http {
  access_log off;
  client_body_temp_path /run/$1.t; proxy_temp_path /run/$1.t; fastcgi_temp_path /run/$1.t;
  uwsgi_temp_path /run/$1.t; scgi_temp_path /run/$1.t;
  server { listen 80; location / { return 200 "$1 \$remote_addr\n"; } }
}
NGINX
  nsenter --net=/run/netns/"$1" nginx -e "/run/$1.log" -c "/run/$1.conf"
}
capture() {
  nsenter --net=/run/netns/"$1" tcpdump -i any -y LINUX_SLL2 -n --immediate-mode -U -Z root -s 256 -B 4096 \
    -w "/run/$1.pcap" 'ip or ip6' 2>"/run/$1.said" &
  until grep -qs 'listening on' "/run/$1.said"; do :; done
}

node node-a 172.18.0.2 1 172.18.0.3 2 & one=$!
node node-b 172.18.0.3 2 172.18.0.2 1 & two=$!
pod pod-a 1
pod pod-b 2
client
wait $one $two
for place in node-a node-b; do sysctls $place; rules $place; done
for place in pod-a pod-b; do server $place; done
for place in client node-a node-b pod-a pod-b; do capture $place; done

get() { nsenter --net=/run/netns/client curl --silent --show-error --max-time 5 "$@"; }
repeat() { # the same URL, over a connection of its own each time
  url=$1
  n=1
  set -- --header 'Connection: close' "$url"
  while [ $n -lt "$requests" ]; do
    set -- "$@" --next --silent --show-error --header 'Connection: close' "$url"
    n=$((n + 1))
  done
  get "$@"
}
counters() { # what each rule has counted so far, on both nodes at once
  nsenter --net=/run/netns/node-a iptables-save -c >"/run/node-a.counters.$1" & one=$!
  nsenter --net=/run/netns/node-b iptables-save -c >"/run/node-b.counters.$1" & two=$!
  wait $one $two
}
endpoints() { # what kube-proxy's partial sync writes when the Service has one endpoint or two, on both nodes at once
  chains='-A KUBE-SVC-A -j KUBE-SEP-A'
  [ "$1" = 1 ] || chains='-A KUBE-SVC-A -m statistic --mode random --probability 0.5 -j KUBE-SEP-A
-A KUBE-SVC-A -j KUBE-SEP-B'
  partial node-a "$chains" & one=$!
  partial node-b "$chains" & two=$!
  wait $one $two
}
partial() {
  nsenter --net=/run/netns/"$1" iptables-restore --noflush <<RULES
*nat
:KUBE-SVC-A - [0:0]
-A KUBE-SVC-A ! -s 10.244.0.0/16 -d 10.96.0.10/32 -p tcp -m tcp --dport 80 -j KUBE-MARK-MASQ
$2
COMMIT
RULES
}
# the steps of the lab, with the readings that its checks need
get http://172.18.0.2:30080/ >/run/out
counters 1
for place in node-a node-b; do
  nsenter --net=/run/netns/$place conntrack -L >"/run/$place.conntrack" 2>/dev/null
done
get http://172.18.0.3:30080/ >>/run/out
repeat http://172.18.0.2:30080/ >>/run/out
grep -q pod-a /run/out
grep -q pod-b /run/out
counters 3
if get http://172.18.0.2:29999/ 2>/dev/null; then exit 1; fi
counters 4
ip link set to-node-b down
endpoints 1
if get --max-time 0.3 http://172.18.0.3:30080/ 2>/dev/null; then exit 1; fi
counters 6
requests=8
repeat http://172.18.0.2:30080/ >>/run/out
counters 7
ip link set to-node-b up
endpoints 2
get http://172.18.0.3:30080/ >>/run/out
counters 9
grep -q 'dport=30080' /run/node-a.conntrack
grep -q KUBE-EXT-A /run/node-a.counters.4
tcpdump -n -r /run/node-b.pcap 2>/dev/null | grep -q ' > 10.244.2.2.80: Flags \[S\]'
