import * as z from 'zod'
import type { PassedOn } from '../../../packets/types.js'
import type { Exchange } from '../../steps/exchanges.js'
import type { Named } from '../../../names/named.js'
import { addressWords, isPlace, placeName } from '../../names/places.js'
import { fits, type Who } from '../../names/resolver.js'
import type { CheckContext } from '../../types.js'
import { headerWords, headersMatch, headersSchema, type HeaderMatches } from '../answers/headerMatches.js'
import type { Verdict } from '../verdict.js'
import { requestKind } from '../kind.js'
import { lookAtPackets } from '../look.js'
import { reference } from '../objects/references.js'
import { matchesText, quote, textMatchSchema, textWords, type TextMatch } from '../answers/textMatch.js'

const schema = z
  .strictObject({
    controller: reference.optional().describe('The pods of the proxy.'),
    upstream: reference
      .optional()
      .describe('Destination of the second connection: pods by a selector, or a Service for its cluster IP.'),
    method: z.string().min(1).optional().describe('Method of the forwarded request.'),
    path: textMatchSchema.optional().describe('Path and query of the forwarded request.'),
    host: textMatchSchema.optional().describe('Host of the forwarded request.'),
    forwardedFor: reference
      .optional()
      .describe('The last address in X-Forwarded-For: an address in a packet.'),
    headers: headersSchema
      .optional()
      .describe('Headers of the forwarded request; null for a header that must be missing.'),
  })
  .refine((value) => Object.keys(value).length > 0, 'needs upstream, path, host or another field')

interface Wanted {
  readonly controllers: readonly Named[] | undefined
  readonly upstream: Who | undefined
  readonly method: string | undefined
  readonly path: TextMatch | undefined
  readonly host: TextMatch | undefined
  readonly forwardedFor: Who | undefined
  readonly headers: HeaderMatches | undefined
  readonly words: string
}

/** `through: {upstream: app=a, path: /ping}`: a proxy forwarded the request over its own connection. */
export const through = requestKind({
  key: 'through',
  description:
    'A proxy of ingress forwarded the request over a second connection with these properties; none: no proxy did.',
  needs: { packets: true },
  actions: ['curl'],
  schema: z.union([z.literal('none'), schema]),
  resolve: (given, resolver): Wanted | undefined => {
    if (given === 'none') return undefined
    const { controller, upstream, method, path, host, forwardedFor, headers } = given
    return {
      controllers: controller === undefined ? undefined : resolver.within('controller').pods([controller]),
      upstream: upstream === undefined ? undefined : resolver.within('upstream').who(upstream),
      forwardedFor:
        forwardedFor === undefined ? undefined : resolver.within('forwardedFor').who(forwardedFor),
      ...{ method, path, host, headers },
      words: wordsOf(given),
    }
  },
  describe: (wanted) =>
    wanted === undefined
      ? { name: 'no proxy passes it on', expected: 'no request to an upstream' }
      : { name: `passed on ${wanted.words}`, expected: wanted.upstream?.words ?? wanted.words },
  evaluate: (wanted, exchange, context) => {
    const requests = exchange.flows.flatMap(({ flow }) => flow.passedOn ?? [])
    const flow = exchange.flows[0]?.index
    if (wanted === undefined)
      return {
        ok: requests.length === 0 && flow !== undefined,
        observed:
          requests.length === 0
            ? whyNone(exchange)
            : requests.map((one) => askedWords(one, context)).join('; '),
        flow,
      }
    const verdicts = requests.map((one) => evaluatePassedOn(wanted, one, context))
    const best = verdicts.find(({ ok }) => ok) ?? verdicts[0]
    return { ...(best ?? { ok: false, observed: whyNone(exchange) }), flow }
  },
  look: (_, _seen, context) => lookAtPackets(context.step.from ?? ''),
})

function wordsOf(given: z.infer<typeof schema>): string {
  const { controller, upstream, method, path, host, forwardedFor, headers } = given
  return [
    ...(controller === undefined ? [] : [`by ${controller}`]),
    ...(upstream === undefined ? [] : [`to ${upstream}`]),
    ...(method === undefined ? [] : [`method ${method}`]),
    ...(path === undefined ? [] : [`path ${textWords(path)}`]),
    ...(host === undefined ? [] : [`Host ${textWords(host)}`]),
    ...(forwardedFor === undefined ? [] : [`for ${forwardedFor}`]),
    ...(headers === undefined ? [] : [headerWords(headers)]),
  ].join(', ')
}

function evaluatePassedOn(wanted: Wanted, one: PassedOn, context: CheckContext): Verdict {
  const { request, destination, netns } = one
  const forwarded = request.headers['x-forwarded-for']?.split(',').at(-1)?.trim()
  const client = forwarded === undefined ? undefined : { address: forwarded }
  const headers = wanted.headers && headersMatch(wanted.headers, request.headers)
  const ok =
    (wanted.controllers?.some((place) => isPlace(place, netns, context)) ?? true) &&
    (wanted.upstream === undefined || fits(wanted.upstream, destination)) &&
    (wanted.method === undefined || wanted.method === request.method) &&
    (wanted.path === undefined || matchesText(wanted.path, request.target)) &&
    (wanted.host === undefined || matchesText(wanted.host, request.headers['host'] ?? '')) &&
    (wanted.forwardedFor === undefined || fits(wanted.forwardedFor, client)) &&
    headers?.ok !== false
  const observed = [
    askedWords(one, context),
    ...(wanted.forwardedFor === undefined ? [] : [`for ${addressWords(client, context)}`]),
    ...(headers === undefined ? [] : [headers.observed]),
  ]
  return { ok, observed: observed.join('; ') }
}

function askedWords({ netns, request, destination }: PassedOn, context: CheckContext): string {
  const { host } = request.headers
  const asked = `${request.method} ${request.target}${host === undefined ? '' : `, Host ${quote(host)}`}`
  return `${placeName(netns, context)} asked ${addressWords(destination, context)} ${asked}`
}

function whyNone({ flows, request }: Exchange): string {
  if (flows.length === 0) return 'no packet of the request was seen'
  return `nothing was seen to be passed on in clear text (X-Request-ID ${request.requestId ?? 'none'})`
}
