import { groupBy } from '../netfilter/groupBy.js'
import type { DnsRecord, DnsZone } from '../cluster/dns/types.js'
import { rcodes, typeNumbers, type AnswerRecord, type DnsAnswer, type DnsQuery } from './types.js'

/** Seconds that kubeadm's CoreDNS lets answers be kept. */
const ttl = 30

/** The records of a zone, ready to be asked for. */
export interface ZoneIndex {
  readonly origin: string
  readonly byName: ReadonlyMap<string, readonly DnsRecord[]>
  /** Names that exist, with or without records: also those that others hang from. */
  readonly exists: ReadonlySet<string>
}

/** Makes a zone ready to be asked. */
export function indexZone({ origin, records, emptyNames }: DnsZone): ZoneIndex {
  const exists = new Set<string>([origin])
  for (const name of [...records.map((record) => record.name), ...emptyNames])
    for (let rest = name; isIn(rest, origin); rest = rest.slice(rest.indexOf('.') + 1)) exists.add(rest)
  return { origin, byName: groupBy(records, ({ name }) => name), exists }
}

/** The answer of a zone; undefined for what another server has to be asked. */
export function answerFrom(zone: ZoneIndex, query: Pick<DnsQuery, 'name' | 'type'>): DnsAnswer | undefined {
  const name = query.name.toLowerCase()
  const found = zone.byName.get(name) ?? []
  if (found.length === 0 && !isIn(name, zone.origin)) return undefined
  const answers = found
    .filter(({ type }) => type === 'CNAME' || wants(query.type, type))
    .map((record) => toAnswer(record, query.name))
  const authority = answers.length > 0 ? [] : [startOfAuthority(zone.origin)]
  const rcode = found.length > 0 || zone.exists.has(name) ? rcodes.noError : rcodes.nxDomain
  return { rcode, authoritative: true, answers: shuffled(answers), authority }
}

function wants(asked: number, type: DnsRecord['type']): boolean {
  return asked === typeNumbers.ANY || asked === typeNumbers[type]
}

function isIn(name: string, origin: string): boolean {
  return name === origin || name.endsWith(`.${origin}`)
}

function toAnswer(record: DnsRecord, name: string): AnswerRecord {
  return { name, type: record.type, ttl, data: dataOf(record) }
}

function dataOf(record: DnsRecord): string {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return record.address
    case 'SRV':
      return `0 100 ${record.port} ${record.target}`
    case 'TXT':
      return record.text
    default:
      return record.target
  }
}

/** Stands in an answer without records and says for how long that may be believed (RFC 2308). */
function startOfAuthority(origin: string): AnswerRecord {
  return {
    name: origin,
    type: 'SOA',
    ttl,
    data: `ns.dns.${origin} hostmaster.${origin} 1 7200 1800 86400 ${ttl}`,
  }
}

/** In another order each time, as CoreDNS's plugin `loadbalance` does. */
function shuffled(answers: readonly AnswerRecord[]): AnswerRecord[] {
  return answers
    .map((answer) => ({ answer, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ answer }) => answer)
}
