import type { ProvenDocument } from '../../diagnose/reach/reachDocument.js'
import type { DifferenceGroup } from '../../diagnose/reach/compare.js'
import type { ReachTextOptions } from '../../diagnose/reach/reachText.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import { count } from '../../text/count.js'
import { wrap } from '../../text/textWidth.js'
import type { ProvenPair, ProvenRequest } from './proveReach.js'

/** What packets say, for people: each difference, and what does not end as predicted. */
export function proofText(
  groups: readonly DifferenceGroup[],
  {
    groups: proven,
    sample,
  }: { readonly groups: readonly ProvenPair[]; readonly sample: readonly ProvenPair[] },
  options: ReachTextOptions,
): string {
  const sent = (pairs: readonly ProvenPair[]) => pairs.filter((pair) => sides(pair).every(wasSent))
  const lines = (pairs: readonly ProvenPair[], nameOf: (index: number) => string) =>
    pairs.flatMap((pair, index) => [
      ...wrapped(` ${nameOf(index)}`, options),
      ...Object.entries(pair as Record<string, ProvenRequest | undefined>).flatMap(([side, one]) =>
        one === undefined ? [] : wrapped(`     ${side.padEnd(7)} ${endOf(one)}`, options),
      ),
    ])
  const wrong = sample.filter((pair) => !sides(pair).every(({ agrees }) => agrees === true))
  const total = (pairs: readonly ProvenPair[]) =>
    `${sent(pairs).filter(isProven).length} of ${count(pairs.length, 'request')}`
  const isGood = [...proven, ...sample].every((pair) => sides(pair).every(({ agrees }) => agrees !== false))
  const verdict = [
    ...(proven.length === 0 ? [] : [`${total(proven)} that show a difference`]),
    ...(sample.length === 0 ? [] : [`${total(sample)} of the others`]),
  ].join(', ')
  const said = verdict === '' ? 'no packet was sent' : `sent, and ended as predicted: ${verdict}`
  return `${[
    isGood ? options.colours.good(said) : options.colours.bad(said),
    ...lines(proven, (index) => `${index + 1} ${groups[index]?.says ?? ''}`),
    ...lines(wrong, (index) => requestText(wrong[index])),
  ].join('\n')}\n`
}

/** Whether all packets that were sent ended as predicted. */
export function isProven(pair: ProvenPair): boolean {
  return sides(pair).every(({ agrees }) => agrees !== false)
}

function sides({ before, after }: ProvenPair): ProvenRequest[] {
  return [before, after].filter((one) => one !== undefined)
}

function wasSent({ agrees }: ProvenRequest): boolean {
  return agrees !== undefined
}

function endOf({ agrees, observed }: ProvenRequest): string {
  return agrees === undefined
    ? observed
    : agrees
      ? `as predicted: ${observed}`
      : `not as predicted: ${observed}`
}

/** `pods of node-a → cluster IP 10.96.0.10:80/tcp` */
function requestText(pair: ProvenPair | undefined): string {
  const request = pair && sides(pair)[0]?.request
  if (request === undefined) return ''
  const { source, target, by } = request
  const { address, number, protocol, kind } = target
  const socket =
    number === undefined ? address : tracedSocketText({ address, port: { first: number, last: number } })
  return `${source.label}${by === undefined ? '' : ` by ${by.name}`} → ${kind} ${socket}/${protocol}`
}

function wrapped(text: string, { width }: ReachTextOptions): string[] {
  const indent = /^ */.exec(text)?.[0] ?? ''
  return wrap(text.trimStart().split(' '), width - indent.length - 8).map(
    (line, index) => `${indent}${index === 0 ? '' : '        '}${line}`,
  )
}

/** The same for programs. */
export function proofDocument(pairs: readonly ProvenPair[]): ProvenDocument[] {
  const document = (one: ProvenRequest | undefined) =>
    one && { agrees: one.agrees ?? null, observed: one.observed }
  return pairs.map((pair) => ({
    request: requestText(pair),
    before: document(pair.before),
    after: document(pair.after),
  }))
}
