import * as z from 'zod'
import { joinHostPort } from '../../../net/socketText.js'
import { placeKinds } from '../../../names/names.js'
import type { Resolver } from '../../names/resolver.js'
import type { ProbedCell } from '../../observation.js'
import { momentActions, stepKind } from '../kind.js'

const line = z.string().min(1)
const schema = z
  .record(
    line,
    z
      .record(line, z.enum(['allowed', 'denied']))
      .refine((row) => Object.keys(row).length > 0, 'needs a destination'),
  )
  .refine((table) => Object.keys(table).length > 0, 'needs a caller')

/** A cell of the table: a connection that is tried. */
export interface Cell {
  /** The caller and the destination, as they are written. */
  readonly words: string
  readonly from: string
  readonly address: string
  readonly port: number
  readonly protocol: 'tcp' | 'udp'
  readonly wanted: 'allowed' | 'denied'
}

/** Cells that a message names. */
const shown = 4

/** `connectivity: {client-a: {'web:80': allowed, 'db:5432': denied}}`: which connections are made, by real packets. */
export const connectivity = stepKind({
  key: 'connectivity',
  description:
    'The connections that callers can make after the step, tried with packets: by caller, destinations `name:port` or `name:port/udp`, each allowed or denied. Denied means that a rule rejects or drops the packets.',
  actions: momentActions,
  schema,
  resolve: (table, resolver): readonly Cell[] =>
    Object.entries(table).flatMap(([from, row]) => {
      const caller = resolver.within(from).one(from, placeKinds)
      return Object.entries(row).flatMap(([to, wanted]) => {
        const found = destinationOf(to, resolver.within(from, to))
        return caller === undefined || found === undefined
          ? []
          : [{ words: `${from} → ${to}`, from: caller.label, ...found, wanted }]
      })
    }),
  describe: (cells) => {
    const expected = (['allowed', 'denied'] as const).flatMap((word) => {
      const count = cells.filter(({ wanted }) => wanted === word).length
      return count === 0 ? [] : [`${count} ${word}`]
    })
    return { name: `connectivity: ${cells.length} pairs`, expected: expected.join(', ') }
  },
  evaluate: (cells, { connectivity: probed = [] }) => {
    const wrong = cells.flatMap((cell, index) => {
      const seen = probed[index]
      return seen !== undefined && isRight(cell, seen) ? [] : [{ cell, seen }]
    })
    if (wrong.length > 0) {
      const more = wrong.length > shown ? `; and ${wrong.length - shown} more` : ''
      const named = wrong
        .slice(0, shown)
        .map(({ cell, seen }) => `${cell.words} is not ${cell.wanted}: ${seenWords(seen)}`)
      return { ok: false, observed: `${wrong.length} of ${cells.length} differ: ${named.join('; ')}${more}` }
    }
    const by = [...new Set(probed.flatMap(({ deniedBy }) => deniedBy ?? []))]
    return {
      ok: cells.length > 0,
      observed: `all as expected${by.length === 0 ? '' : `; denied by ${by.join(', ')}`}`,
    }
  },
  look: (cells, { connectivity: probed = [] }) => {
    const cell = cells.find((one, index) => {
      const seen = probed[index]
      return seen === undefined || !isRight(one, seen)
    })
    const { from = '', address = '', port = 0, protocol = 'tcp' } = cell ?? {}
    return { where: from, command: `nc -v ${protocol === 'udp' ? '-u ' : ''}-w 5 ${address} ${port}` }
  },
})

function destinationOf(
  text: string,
  resolver: Resolver,
): Pick<Cell, 'address' | 'port' | 'protocol'> | undefined {
  const protocol = text.endsWith('/udp') ? 'udp' : 'tcp'
  const { sockets, port } = resolver.who(text.replace(/\/(udp|tcp)$/, ''))
  const [first] = sockets ?? []
  if (sockets !== undefined && first === undefined) return undefined
  if (first !== undefined && port !== undefined) return { address: first.address, port, protocol }
  resolver.problem(`"${text}" is not a destination`, 'write a name or an address with a port, such as web:80')
  return undefined
}

/** Without an answer, a connection is denied only if a rule stops it: where nothing listens, it is refused too. */
function isRight({ wanted }: Cell, { outcome, stoppedBy }: ProbedCell): boolean {
  return wanted === 'allowed' ? outcome === 'answered' : outcome !== 'answered' && stoppedBy === 'rule'
}

function seenWords(seen: ProbedCell | undefined): string {
  if (seen === undefined) return 'it was not tried'
  if (seen.outcome === 'answered') return 'it is answered'
  const { deniedBy = [], reason } = seen
  const why = deniedBy.length > 0 ? `denied by ${deniedBy.join(' and ')}` : reason
  return [seen.outcome, ...(why === undefined ? [] : [why])].join(', ')
}

/** The address and port of a cell as text. */
export function cellSocket({ address, port }: Cell): string {
  return joinHostPort(address, port)
}
