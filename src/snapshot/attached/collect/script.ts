import { collectedKinds, templateOf } from './objects.js'

/** One text of a node: the name of its file, and the command, which changes nothing. */
interface NodeCommand {
  readonly file: string
  /** For sh(1). */
  readonly command: string
  /** Where the kernel would load a module for it, it runs only if this holds. */
  readonly only?: string
}

const hasRules = '[ -n "$nft_rules$legacy_tables" ]'

const settings = [
  ...[
    'ipv4/ip_forward',
    'ipv4/ip_local_port_range',
    'ipv4/ip_nonlocal_bind',
    'ipv4/vs/*',
    'ipv4/tcp_tw_reuse',
  ],
  ...[
    'forwarding',
    'rp_filter',
    'route_localnet',
    'arp_ignore',
    'arp_announce',
    'proxy_arp',
    'accept_local',
  ].map((name) => `ipv4/conf/*/${name}`),
  ...['ipv6/conf/*/forwarding', 'ipv6/conf/*/disable_ipv6', 'ipv6/bindv6only', 'bridge/*'],
  ...['max', 'count', 'buckets', 'tcp_be_liberal', 'tcp_loose', 'udp_timeout', 'udp_timeout_stream'].map(
    (name) => `netfilter/nf_conntrack_${name}`,
  ),
  ...['tcp_timeout_established', 'tcp_timeout_close_wait'].map((name) => `netfilter/nf_conntrack_${name}`),
]

/** The texts of a node, by files whose names `readNodeText` understands. */
const nodeCommands: readonly NodeCommand[] = [
  { file: 'hostname.txt', command: 'hostname' },
  { file: 'uname.txt', command: 'uname -a' },
  { file: 'ip-addr.txt', command: 'ip -d addr' },
  { file: 'ip-route.txt', command: 'ip -4 route show table all' },
  { file: 'ip6-route.txt', command: 'ip -6 route show table all' },
  { file: 'ip-rule.txt', command: 'ip -4 rule' },
  { file: 'ip6-rule.txt', command: 'ip -6 rule' },
  { file: 'ip-neigh.txt', command: 'ip neigh' },
  { file: 'bridge-fdb.txt', command: 'bridge fdb' },
  { file: 'sysctl.txt', command: `grep -s . ${settings.map((name) => `/proc/sys/net/${name}`).join(' ')}` },
  { file: 'nft-ruleset.txt', command: 'nft list ruleset', only: '[ -n "$nft_rules" ]' },
  ...['', '6'].flatMap((six): NodeCommand[] => [
    { file: `ip${six}tables-save.txt`, command: `ip${six}tables-save -c`, only: hasRules },
    {
      file: `ip${six}tables-legacy-save.txt`,
      command: `ip${six}tables-legacy-save -c`,
      only: '[ -n "$legacy_tables" ]',
    },
    {
      file: `ip${six}tables-nft-save.txt`,
      command: `ip${six}tables-nft-save -c`,
      only: '[ -n "$nft_rules" ]',
    },
  ]),
  { file: 'ipset-save.txt', command: 'ipset save', only: hasRules },
  { file: 'ipvsadm.txt', command: 'ipvsadm -L -n --nosort', only: '[ -e /proc/net/ip_vs ]' },
  { file: 'ss.txt', command: 'ss -lntu' },
  {
    file: 'conntrack.txt',
    command: 'conntrack -L | head -n 50000',
    only: '[ "$(cat /proc/sys/net/netfilter/nf_conntrack_count 2>/dev/null || echo 0)" -gt 0 ]',
  },
  { file: 'xt_recent.txt', command: 'grep -sH . /proc/net/xt_recent/*', only: '[ -d /proc/net/xt_recent ]' },
]

const head = String.raw`#!/bin/sh
# Collects what decides where packets to the Services of a Kubernetes cluster go: what tools print about the network of
# this node, and objects of the cluster by kubectl. It changes nothing. It reads no Secrets, environments, annotations
# or logs. Read it before you run it; it prints each command before it runs.
#
#   sh collect.sh                 this node, and the cluster if kubectl can reach one: writes vethlab-collect-NODE.tar.gz
#   sh collect.sh --node          only this node (as root)
#   sh collect.sh --cluster       only the objects
#   sh collect.sh [--node] FILE   writes the archive to FILE; - is standard output
#
# Then: vethlab check vethlab-collect-NODE.tar.gz
set -u
LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"
export LC_ALL PATH
parts=all
archive=
for word in "$@"; do
  case "$word" in
    --node) parts=node ;;
    --cluster) parts=cluster ;;
    *) archive=$word ;;
  esac
done
name=$(hostname 2>/dev/null || uname -n)
umask 077
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# run FILE COMMAND: what the command prints goes to FILE; without its program, or where it fails, the file says so
run() {
  program=$(echo "$2" | cut -d ' ' -f 1)
  if ! command -v "$program" >/dev/null 2>&1; then
    echo "skipped (no $program): $2" >&2
    return
  fi
  echo "running: $2" >&2
  if ! sh -c "$2" >"$folder/$1" 2>"$work/errors" && ! [ -s "$folder/$1" ]; then
    if [ -s "$work/errors" ]; then
      echo "> Error while running '$2': $(head -c 300 "$work/errors" | tr '\n' ' ')" >"$folder/$1"
    fi
  fi
  # an empty file says nothing
  [ -s "$folder/$1" ] || rm -f "$folder/$1"
}
`

const clusterHead = String.raw`
if ! command -v kubectl >/dev/null 2>&1; then
  if command -v k3s >/dev/null 2>&1; then kubectl() { k3s kubectl "$@"; }
  elif command -v microk8s >/dev/null 2>&1; then kubectl() { microk8s kubectl "$@"; }
  fi
fi
# get FILE RESOURCE OPTIONS: objects of one kind; the template, on standard input, lists their fields
get() {
  template=$(cat)
  echo "running: kubectl get $2 $3 -o go-template=…" >&2
  # shellcheck disable=SC2086
  kubectl get "$2" $3 --request-timeout=30s -o "go-template=$template" >"$folder/$1" 2>"$work/errors" ||
    echo "  $(head -n 1 "$work/errors")" >&2
  [ -s "$folder/$1" ] || rm -f "$folder/$1"
}
`

const end = String.raw`
if [ "$archive" = - ]; then
  tar -C "$work/out" -cf - . | gzip -c
else
  [ -n "$archive" ] || archive=$(echo "vethlab-collect-$name" | tr -c 'A-Za-z0-9._\n-' _).tar.gz
  tar -C "$work/out" -cf - . | gzip -c >"$archive" && echo "written: $archive" >&2
fi
`

/** A script for sh(1) that collects texts of a node and objects of a cluster in a tar.gz. */
export function collectScript(): string {
  const nodes = nodeCommands.flatMap(({ file, command, only }) => {
    const line = `run ${file} ${quoted(command)}`
    return only === undefined ? [`  ${line}`] : [`  if ${only}; then ${line}; fi`]
  })
  const objects = collectedKinds.map((kind) => {
    const file = `${kind.resource.split('.')[0]}.yaml`
    const options = kind.options ?? '--all-namespaces'
    return `  get ${file} ${kind.resource} ${quoted(options)} <<'TEMPLATE'\n${templateOf(kind)}\nTEMPLATE`
  })
  return [
    head,
    'if [ "$parts" != cluster ]; then',
    '  folder=$work/out/nodes/$name',
    '  mkdir -p "$folder"',
    '  # tools for rules load modules of the kernel and make tables where there are none',
    '  nft_rules=$(nft list tables 2>/dev/null)',
    '  legacy_tables=$(cat /proc/net/ip_tables_names /proc/net/ip6_tables_names 2>/dev/null)',
    ...nodes,
    'fi',
    clusterHead,
    'if [ "$parts" != node ] && command -v kubectl >/dev/null 2>&1; then',
    '  folder=$work/out/cluster',
    '  mkdir -p "$folder"',
    ...objects,
    'fi',
    end,
  ].join('\n')
}

const pasteHead = String.raw`set -u
LC_ALL=C
PATH="$PATH:/usr/sbin:/sbin"
export LC_ALL PATH
name=$(hostname 2>/dev/null || uname -n)
# show COMMAND: a line as in a terminal, and what the command prints
show() {
  command -v "$(echo "$1" | cut -d ' ' -f 1)" >/dev/null 2>&1 || return 0
  echo "root@$name:~# $1"
  sh -c "$1" 2>/dev/null </dev/null
  echo
}
nft_rules=$(nft list tables 2>/dev/null)
legacy_tables=$(cat /proc/net/ip_tables_names /proc/net/ip6_tables_names 2>/dev/null)
`

/** A script for sh(1) that prints the texts of a node one after the other, as if they were pasted from a terminal. */
export function pasteScript(): string {
  const lines = nodeCommands.map(({ command, only }) => {
    const line = `show ${quoted(command)}`
    return only === undefined ? line : `if ${only}; then ${line}; fi`
  })
  return [pasteHead, ...lines, 'exit 0', ''].join('\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
