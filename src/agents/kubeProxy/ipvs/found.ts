import type { IpFamily } from '../../../net/ipFamily.js'
import { parseSave, type SavedTable } from '../../../netfilter/save.js'
import { ipvsDevice, type VirtualServer } from './types.js'

/** A real server in the kernel. */
export interface FoundRealServer {
  /** `address:port`. */
  readonly text: string
  readonly weight: number
  /** Active and inactive ones together. */
  readonly connections: number
}

/** A virtual server in the kernel. */
export interface FoundServer extends Omit<VirtualServer, 'realServers'> {
  /** The scheduler mh also hashes source ports. */
  readonly mhPort: boolean
  readonly realServers: readonly FoundRealServer[]
}

/** The IPVS state of one family in a node's network namespace, including what other programs created. */
export interface FoundIpvs {
  readonly servers: readonly FoundServer[]
  /** Entries of the ipsets, by the names that they have in this family. */
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>
  /** Whether the device kube-ipvs0 exists. */
  readonly device: boolean
  /** Addresses of kube-ipvs0. */
  readonly bound: readonly string[]
  /** Addresses of all other interfaces, of either family. */
  readonly elsewhere: readonly string[]
  readonly tables: readonly SavedTable[]
}

/** Output of the tools: `ip -o address`, `ip -o link` of kube-ipvs0, `ipvsadm -L -n`, `ipset save`, iptables-save. */
export interface IpvsListing {
  readonly addresses: string
  readonly device: string
  readonly servers: string
  readonly sets: string
  readonly rules: string
}

/** Parses the output of the tools. */
export function foundIpvs(listing: IpvsListing, family: IpFamily): FoundIpvs {
  const addresses = readAddresses(listing.addresses)
  const own = addresses.filter(({ device }) => device === ipvsDevice)
  return {
    servers: readServers(listing.servers, family),
    sets: readSets(listing.sets),
    device: listing.device.trim() !== '',
    bound: own.filter((one) => one.family === family && !isLinkLocal(one.address)).map((one) => one.address),
    elsewhere: addresses.filter(({ device }) => device !== ipvsDevice).map(({ address }) => address),
    tables: listing.rules.includes('*') ? parseSave(listing.rules) : [],
  }
}

const protocols: Readonly<Record<string, string>> = { TCP: 'tcp', UDP: 'udp', SCTP: 'sctp' }

/** Parses the virtual servers of one family from `ipvsadm -L -n`; ignores those of firewall marks. */
export function readServers(text: string, family: IpFamily): FoundServer[] {
  const servers: (FoundServer & { realServers: FoundRealServer[] })[] = []
  let last: FoundRealServer[] = []
  for (const line of text.split('\n')) {
    const [first = '', second = '', third = '', ...more] = line.trim().split(/\s+/)
    if (first === '->') {
      const [weight = '', active = '', inactive = ''] = more
      last.push({ text: second, weight: Number(weight), connections: Number(active) + Number(inactive) })
      continue
    }
    last = []
    const protocol = protocols[first]
    const [, bracketed, plain = '', port = ''] = /^(?:\[(.+)\]|([\d.]+)):(\d+)$/.exec(second) ?? []
    if (protocol === undefined || port === '') continue
    if ((bracketed === undefined ? 'IPv4' : 'IPv6') !== family) continue
    const options = more.join(' ')
    servers.push({
      address: bracketed ?? plain,
      port: Number(port),
      protocol,
      scheduler: third,
      persistence: Number(/\bpersistent (\d+)/.exec(options)?.[1] ?? 0),
      mhPort: options.includes('mh-port'),
      realServers: last,
    })
  }
  return servers
}

/**
 * Parses from `ipvsadm -L -n --stats --exact` how many connections each virtual server (`10.96.0.10:80/TCP`)
 * and each of its real servers (`10.96.0.10:80/TCP/10.244.1.5:8080`) has had.
 */
export function readConnections(text: string): Map<string, number> {
  const connections = new Map<string, number>()
  let server = ''
  for (const line of text.split('\n')) {
    const [first = '', name = '', count = ''] = line.trim().split(/\s+/)
    if (first in protocols) server = `${name}/${first}`
    if (/^\d+$/.test(count))
      connections.set(first === '->' ? `${server}/${name}` : `${name}/${first}`, Number(count))
  }
  return connections
}

/** Parses the entries of every set from `ipset save`. */
export function readSets(text: string): Map<string, Set<string>> {
  const sets = new Map<string, Set<string>>()
  for (const line of text.split('\n')) {
    const [command = '', name = '', entry = ''] = line.split(' ', 3)
    if (command === 'create') sets.set(name, new Set())
    else if (command === 'add') sets.get(name)?.add(entry)
  }
  return sets
}

interface FoundAddress {
  readonly device: string
  readonly family: IpFamily
  readonly address: string
}

function readAddresses(text: string): FoundAddress[] {
  return text.split('\n').flatMap((line) => {
    const [, device = '', kind, address = ''] = line.trim().split(/\s+/)
    if (kind !== 'inet' && kind !== 'inet6') return []
    const family = kind === 'inet' ? 'IPv4' : 'IPv6'
    return [{ device: device.split('@')[0] ?? device, family, address: address.split('/')[0] ?? '' }]
  })
}

function isLinkLocal(address: string): boolean {
  return /^fe[89ab][0-9a-f]:/.test(address)
}
