import { rcodes, typeNumbers, type AnswerRecord, type DnsAnswer, type DnsQuery } from './types.js'
import { answerFrom, type ZoneIndex } from './zoneIndex.js'

/** Asks the servers outside for the addresses of a name; rejects when none answers. */
export type AskOutside = (name: string, type: number) => Promise<DnsAnswer>

/** More aliases than this in a row lead in a circle. */
const longestChain = 8

/**
 * The whole answer of a zone to a query, aliases followed, outside too, as a stub resolver needs it; undefined for what
 * the servers outside have to be asked as it is.
 */
export async function resolve(
  zone: ZoneIndex,
  query: Pick<DnsQuery, 'name' | 'type'>,
  askOutside: AskOutside | undefined,
): Promise<DnsAnswer | undefined> {
  const first = answerFrom(zone, query)
  if (first === undefined || query.type === typeNumbers.CNAME || query.type === typeNumbers.ANY) return first
  const answers: AnswerRecord[] = [...first.answers]
  for (let steps = 0; steps < longestChain; steps++) {
    const alias = answers.at(-1)
    if (alias?.type !== 'CNAME') return { ...first, answers }
    const inside = answerFrom(zone, { name: alias.data, type: query.type })
    if (inside !== undefined) {
      if (inside.answers.length === 0) return { ...inside, answers }
      answers.push(...inside.answers)
      continue
    }
    if (askOutside === undefined) return { ...first, answers }
    const outside = await askOutside(alias.data, query.type)
    return { ...first, rcode: outside.rcode, answers: [...answers, ...outside.answers] }
  }
  return { rcode: rcodes.servFail, authoritative: true, answers: [], authority: [] }
}
