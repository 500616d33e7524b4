import { parseSave } from '../../netfilter/save.js'
import { parseConntrack } from '../../netfilter/conntrack.js'
import type { ConntrackEntry } from '../../netfilter/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import { splitHostPort } from '../../net/socketText.js'
import { readServers } from '../../agents/kubeProxy/ipvs/found.js'
import type { ForwardingEntry } from '../../topology/network.js'
import type { Sysctls } from '../../topology/sysctls.js'
import type { TracedIpset, TracedServer } from '../model/balancing.js'
import type { NftRuleset } from '../model/nft.js'
import { onePort, type TracedSocket } from '../model/packet.js'
import type { KnownConnection, PolicyRule, RuleTables, TraceState } from '../model/state.js'
import { loadIpsets } from '../rules/ipsets.js'
import { listedNft } from '../rules/listedNft.js'
import { loadSave } from '../rules/loadRestore.js'
import { parseListeners, type Socket } from './sockets.js'
import { ipLines, readForwarding, readIp, readPolicies6, type Interfaces } from './interfaces.js'

/** What the tools show of a namespace; a part that could not be read is absent. */
export interface ReadPlace {
  /** Undefined for the sandbox's first namespace. */
  readonly netns: string | undefined
  readonly interfaces?: Interfaces | undefined
  readonly forwarding?: readonly ForwardingEntry[] | undefined
  readonly policies?: readonly PolicyRule[] | undefined
  readonly announced?: TraceState['announced'] | undefined
  readonly sysctls?: Sysctls | undefined
  readonly nft?: NftRuleset | undefined
  readonly rules?: Readonly<Partial<Record<IpFamily, RuleTables>>> | undefined
  readonly sets?: ReadonlyMap<string, TracedIpset> | undefined
  readonly servers?: readonly TracedServer[] | undefined
  readonly sockets?: readonly Socket[] | undefined
  readonly connections?: readonly KnownConnection[] | undefined
  /** The addresses in the lists of the match recent. */
  readonly recent?: ReadonlyMap<string, ReadonlySet<string>> | undefined
  /** What could not be read, and the reason. */
  readonly unread: readonly { readonly what: string; readonly why: string }[]
}

type Part = Partial<Omit<ReadPlace, 'netns' | 'unread'>>

/** One thing that is read of a namespace. */
interface Reading {
  /** As messages name it: `the routes`. */
  readonly what: string
  /** For sh(1); what it prints is parsed. It fails if it cannot read. */
  readonly script: string
  readonly parse: (text: string, netns: string | undefined) => Part
}

/** Both backends keep their rules under names of the kernel: that of the caller is read with plain names. */
const save = (family: IpFamily) => {
  const six = family === 'IPv6' ? '6' : ''
  return `test -z "$nft_rules$legacy_tables" || ip${six}tables-save`
}
const saveOfOther = (family: IpFamily) => {
  const six = family === 'IPv6' ? '6' : ''
  return `case "$backend" in
    *nf_tables*) test -z "$legacy_tables" || ip${six}tables-legacy-save ;;
    *) case "$nft_rules" in *"table ip${six} "*) ip${six}tables-nft-save ;; esac ;;
  esac`
}

/** What several readings use. Files are read by the shell itself: a process for each of them would take most of the time. */
const prelude = `
  first_line() { line=; { read -r line <"$1"; } 2>/dev/null; }
  links=$(printf '%s\\n' ${ipLines.map((line) => `'${line}'`).join(' ')} | ip -j -d -batch - 2>&1)
  links_status=$?
  nft_rules=$(nft -s list ruleset 2>&1)
  nft_status=$?
  first_line /proc/net/ip_tables_names
  legacy_tables=$line
  first_line /proc/net/ip6_tables_names
  legacy_tables=$legacy_tables$line
  backend=
  test -z "$nft_rules$legacy_tables" || backend=$(iptables --version 2>/dev/null)`

const sysctlFiles = [
  'ipv4/ip_forward',
  'ipv6/conf/all/forwarding',
  'ipv4/conf/*/forwarding',
  'ipv4/conf/*/rp_filter',
  'ipv4/conf/*/src_valid_mark',
  'ipv4/conf/*/route_localnet',
  'ipv4/conf/*/arp_ignore',
  'ipv4/vs/conntrack',
  'bridge/bridge-nf-call-iptables',
  'bridge/bridge-nf-call-ip6tables',
].map((file) => `/proc/sys/net/${file}`)

/** What is read of every namespace. */
const readings: readonly Reading[] = [
  {
    what: 'the interfaces, the routes, and the rules of policy routing for IPv4',
    script: `test $links_status = 0 || { printf '%s' "$links" >&2; exit $links_status; }; printf '%s\\n' "$links"`,
    parse: (text, netns) => readIp(netns, text),
  },
  {
    what: 'the forwarding entries of tunnels',
    script: `case "$links" in *'"vxlan"'*) bridge -j fdb ;; esac`,
    parse: (text, netns) => ({ forwarding: netns === undefined ? [] : readForwarding(netns, text) }),
  },
  {
    // a batch of ip(8) lists rules of one family
    what: 'the rules of policy routing for IPv6',
    script: 'ip -j -6 rule',
    parse: (text, netns) => ({ policies: netns === undefined ? [] : readPolicies6(netns, text) }),
  },
  {
    what: 'the settings of the kernel',
    script: `for file in ${sysctlFiles.join(' ')}; do
      first_line "$file"
      test -z "$line" || printf '%s:%s\\n' "$file" "$line"
    done`,
    parse: (text) => ({ sysctls: readSysctls(text) }),
  },
  {
    what: 'the rules of nftables',
    script: `printf '%s\\n' "$nft_rules"; exit $nft_status`,
    parse: (text) => ({ nft: listedNft(text) }),
  },
  ...(['IPv4', 'IPv6'] as const).flatMap((family): Reading[] => [
    {
      what: `the rules of iptables for ${family}`,
      script: save(family),
      parse: (text) => ({ rules: { [family]: readTables(text) } }),
    },
    {
      what: `the rules of the other backend of iptables for ${family}`,
      script: saveOfOther(family),
      parse: (text) => ({ rules: { [family]: ofOtherBackend(text) } }),
    },
  ]),
  {
    what: 'the sets of ipset',
    script: 'test -z "$nft_rules$legacy_tables" || ! command -v ipset >/dev/null || ipset save',
    parse: (text) => ({ sets: loadIpsets(text.split('\n')) }),
  },
  {
    what: 'the virtual servers of IPVS',
    // hashes find a real server by its position: ipvsadm sorts them by default
    script: '! test -e /proc/net/ip_vs || ipvsadm -L -n --nosort',
    parse: (text) => ({ servers: serversIn(text) }),
  },
  {
    what: 'the sockets that wait for packets',
    script: 'ss --no-header --listening --numeric --tcp --udp',
    parse: (text) => ({ sockets: parseListeners(text) }),
  },
  {
    what: 'connection tracking',
    script: `first_line /proc/sys/net/netfilter/nf_conntrack_count
      test "$line" = 0 ||
      { conntrack -L -f ipv4 && conntrack -L -f ipv6; }`,
    parse: (text, netns) => ({ connections: connectionsOf(netns ?? '', parseConntrack(text)) }),
  },
  {
    what: 'the lists of the match recent',
    script: 'for f in /proc/net/xt_recent/*; do test ! -e "$f" || grep -H . "$f" || true; done',
    parse: (text) => ({ recent: readRecent(text) }),
  },
]

/**
 * For sh(1) in a namespace: prints what `readPlace` parses. `mark` is a word that no output has. What a script prints is followed by
 * its exit code and its errors, between marks.
 */
export function readingScript(mark: string): string {
  const steps = readings.map(
    ({ script }) =>
      `{ why=$( { ${script}\n} 2>&1 1>&3 ); status=$?; } 3>&1\nprintf '\\n${mark} %s %s ${mark}\\n' "$status" "$why"`,
  )
  return [prelude, ...steps].join('\n')
}

/** Parses what `readingScript` has printed in a namespace. */
export function readPlace(netns: string | undefined, mark: string, output: string): ReadPlace {
  const end = new RegExp(`\\n${mark} (\\d+) ([^]*?) ${mark}\\n`)
  let rest = output
  let found: ReadPlace = { netns, unread: [] }
  for (const { what, parse } of readings) {
    const [whole, status, said = ''] = end.exec(rest) ?? []
    const text = rest.slice(0, whole === undefined ? undefined : rest.indexOf(whole))
    rest = whole === undefined ? '' : rest.slice(rest.indexOf(whole) + whole.length)
    const fail = (why: string) => (found = { ...found, unread: [...found.unread, { what, why }] })
    if (status !== '0') {
      const why = said.trim().replaceAll('\n', ' ')
      fail(status === undefined ? 'the output ends before it' : why || `exit code ${status}`)
      continue
    }
    try {
      found = together(found, parse(text, netns))
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error))
    }
  }
  return found
}

/** Adds a part: rules of several families and backends are read apart. */
function together(found: ReadPlace, part: Part): ReadPlace {
  const { rules = found.rules, policies = found.policies, ...others } = part
  const families = ['IPv4', 'IPv6'] as const
  return {
    ...found,
    ...others,
    policies: part.policies === undefined ? policies : [...(found.policies ?? []), ...part.policies],
    rules:
      part.rules === undefined
        ? rules
        : Object.fromEntries(
            families.flatMap((family) => {
              const own = [...(found.rules?.[family] ?? []), ...(part.rules?.[family] ?? [])]
              return own.length === 0 ? [] : [[family, new Map(own)] as const]
            }),
          ),
  }
}

/** Where no rule was ever written, iptables-save prints nothing. */
function readTables(text: string): RuleTables {
  return text.trim() === '' ? new Map() : loadSave(parseSave(text))
}

/** The tables of a backend that is not the lab's, with its name: `legacy:filter`. */
function ofOtherBackend(text: string): RuleTables {
  if (text.trim() === '') return new Map()
  const backend = text.includes('(nf_tables)') ? 'nft' : 'legacy'
  const saved = parseSave(text)
  const tables = loadSave(saved)
  return new Map(
    saved.flatMap(({ table }) => {
      const chains = tables.get(table)
      return chains === undefined ? [] : [[`${backend}:${table}`, chains] as const]
    }),
  )
}

/** Reads lines such as `/proc/sys/net/ipv4/ip_forward:1`. */
function readSysctls(text: string): Sysctls {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, file = '', value = ''] = /^\/proc\/sys\/(.*?):(.*)$/.exec(line) ?? []
      return file === '' ? [] : [[file.replaceAll('/', '.'), value]]
    }),
  )
}

/** The virtual servers in the output of `ipvsadm -L -n --nosort`. */
export function serversIn(listed: string): TracedServer[] {
  const families = ['IPv4', 'IPv6'] as const
  return families
    .flatMap((family) => readServers(listed, family))
    .map(({ address, port, protocol, scheduler, persistence, realServers }) => ({
      ...{ address, port, protocol, scheduler, persistence },
      realServers: realServers.flatMap(({ text, weight }) => {
        const { host, port: number } = splitHostPort(text) ?? {}
        return host === undefined ? [] : [{ address: host, port: Number(number), weight }]
      }),
    }))
}

/** States of TCP in which no masquerade chooses the source port of a connection for another one. */
const open = new Set(['SYN_SENT', 'SYN_RECV', 'ESTABLISHED'])

/** The entries of UDP and TCP of `conntrack -L`. */
export function connectionsOf(place: string, entries: readonly ConntrackEntry[]): KnownConnection[] {
  const side = ({ address, port }: SocketAddress): TracedSocket => ({
    address,
    port: port === undefined ? undefined : onePort(port),
  })
  const ends = ({ source, destination }: { source: SocketAddress; destination: SocketAddress }) => ({
    source: side(source),
    destination: side(destination),
  })
  return entries.flatMap(({ protocol, state = '', original, reply, unreplied }) => {
    if (protocol !== 'udp' && protocol !== 'tcp') return []
    const tuples = { original: ends(original), reply: ends(reply) }
    const closed = protocol === 'tcp' && !open.has(state) && { closed: true as const }
    return [{ place, protocol, ...tuples, answered: !unreplied, ...(closed && closed) }]
  })
}

/** Reads lines such as `/proc/net/xt_recent/KUBE-SEP-X:src=10.244.1.2 ttl: 63 last_seen: …`. */
export function readRecent(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const lists = new Map<string, Set<string>>()
  for (const [, name = '', address = ''] of text.matchAll(/^\/proc\/net\/xt_recent\/([^:]+):src=(\S+)/gm)) {
    const own = lists.get(name) ?? new Set()
    lists.set(name, own.add(address))
  }
  return lists
}
