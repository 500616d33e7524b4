import type { AddressRanges } from '../../net/addressRanges.js'
import { nthAddress, rangeOf } from '../../net/ranges.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { addressRecord, reverseName } from './names.js'
import { clusterDomain } from './records.js'
import type { DnsRecord, DnsZone } from './types.js'

/** A zone and the text of its file. */
export interface ZoneFile {
  readonly origin: string
  readonly text: string
}

export interface ZoneFileOptions {
  /** A larger number marks a newer zone. */
  readonly serial: number
  /** Addresses of the DNS Service. */
  readonly servers: readonly string[]
  readonly ranges: Pick<AddressRanges, 'pods' | 'services'>
  readonly families: readonly IpFamily[]
}

/** TTL in seconds, from kubeadm's Corefile. */
const ttl = 30
const nameServer = `ns.dns.${clusterDomain}`

/**
 * The zones of a cluster as master files (RFC 1035): its domain, and the reverse zones of its ranges. An address
 * outside of these (of a node, or of a manual endpoint) has a separate reverse zone, so that upstream servers resolve
 * all other addresses.
 */
export function zoneFiles(zone: DnsZone, options: ZoneFileOptions): readonly ZoneFile[] {
  const reverse = options.families.flatMap((family) => [
    reverseZone(options.ranges.services[family]),
    reverseZone(options.ranges.pods[family]),
  ])
  const records = new Map<string, DnsRecord[]>([zone.origin, ...reverse].map((origin) => [origin, []]))
  const put = (record: DnsRecord) => {
    const origin = [zone.origin, ...reverse].find((one) => isWithin(record.name, one)) ?? record.name
    records.set(origin, [...(records.get(origin) ?? []), record])
  }
  for (const address of options.servers) put(addressRecord(nameServer, address))
  for (const record of zone.records) put(record)
  return Array.from(records, ([origin, own]) => ({
    origin,
    text: zoneText(origin, own, origin === zone.origin ? zone.emptyNames : [], options.serial),
  }))
}

/** File name of a zone. */
export function zoneFileName(origin: string): string {
  return `${origin}.zone`
}

/** The reverse zone of a range whose prefix ends at a byte (IPv4) or a nibble (IPv6). */
export function reverseZone(range: string): string {
  const { family, prefixLength } = rangeOf(range)
  const [bits, labels] = family === 'IPv6' ? [4, 32] : [8, 4]
  return reverseName(nthAddress(rangeOf(range), 0))
    .split('.')
    .slice(labels - Math.floor(prefixLength / bits))
    .join('.')
}

function zoneText(
  origin: string,
  records: readonly DnsRecord[],
  emptyNames: readonly string[],
  serial: number,
): string {
  const shares = new Map<string, number>()
  for (const { name, type } of records) if (type === 'SRV') shares.set(name, (shares.get(name) ?? 0) + 1)
  return [
    `$TTL ${ttl}`,
    // the times of CoreDNS
    `${origin}. SOA ${nameServer}. hostmaster.${clusterDomain}. ${serial} 7200 1800 86400 ${ttl}`,
    `${origin}. NS ${nameServer}.`,
    ...records.map((record) => `${record.name}. ${data(record, shares.get(record.name) ?? 1)}`),
    // a name without records exists when a name below it does
    ...emptyNames.map((name) => `_.${name}. TXT ""`),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** Type and data; the records of one SRV name share a weight of 100, like those of CoreDNS. */
function data(record: DnsRecord, share: number): string {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return `${record.type} ${record.address}`
    case 'CNAME':
    case 'PTR':
      return `${record.type} ${record.target}.`
    case 'SRV':
      return `SRV 0 ${Math.max(1, Math.floor(100 / share))} ${record.port} ${record.target}.`
    case 'TXT':
      return `TXT "${record.text}"`
  }
}

function isWithin(name: string, origin: string): boolean {
  return name === origin || name.endsWith(`.${origin}`)
}
