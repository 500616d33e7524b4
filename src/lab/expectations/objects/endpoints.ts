import * as z from 'zod'
import { serviceEndpoints, slicesOf, type ServiceEndpoint } from '../../../cluster/serviceEndpoints.js'
import { fits } from '../../names/resolver.js'
import type { Verdict } from '../verdict.js'
import { momentActions, stepKind } from '../kind.js'
import { reference, references } from './references.js'

const number = z.int().min(0)
const counts = {
  ready: number.optional().describe('Number of ready endpoints.'),
  notReady: number.optional().describe('Number of endpoints that are not ready.'),
  serving: number.optional().describe('Number of serving endpoints, ready or terminating.'),
  terminating: number.optional().describe('Number of terminating endpoints.'),
  slices: number.optional().describe('Number of EndpointSlices.'),
}

const schema = z
  .strictObject({
    service: reference.describe('The Service.'),
    ...counts,
    addresses: references
      .optional()
      .describe('The ready endpoints are exactly these pods, selectors or addresses.'),
  })
  .refine((value) => Object.keys(value).length > 1, 'needs a number, or addresses')

type Counted = keyof typeof counts

/** `endpoints: {service: web, ready: 2}`: what the EndpointSlices of a Service hold after the step. */
export const endpoints = stepKind({
  key: 'endpoints',
  description: 'The endpoints of a Service after the step, from its EndpointSlices.',
  actions: momentActions,
  schema,
  resolve: ({ service, addresses, ...wanted }, resolver) => ({
    words: service,
    service: resolver.within('service').one(service, ['service']),
    wanted: Object.entries(wanted) as [Counted, number][],
    whose:
      addresses === undefined
        ? undefined
        : [addresses].flat().map((text) => resolver.within('addresses').who(text, 'endpoints')),
  }),
  describe: ({ words, wanted, whose }) => {
    const expected = [
      ...wanted.map(([what, count]) => countWords(what, count)),
      ...(whose === undefined ? [] : [`the ready ones are ${whose.map((one) => one.words).join(', ')}`]),
    ].join(', ')
    return { name: `endpoints of ${words}: ${expected}`, expected }
  },
  evaluate: ({ service, wanted, whose }, { cluster }): Verdict => {
    if (service === undefined || cluster === undefined)
      return { ok: false, observed: 'there is no such Service' }
    const slices = slicesOf(cluster, service)
    const all = serviceEndpoints(slices)
    const found = countsOf(all, slices.length)
    const ready = all.filter((endpoint) => endpoint.ready)
    const isOf = (endpoint: ServiceEndpoint, who: NonNullable<typeof whose>[number]) =>
      endpoint.addresses.some((address) => fits(who, { address }))
    const right =
      whose === undefined ||
      (ready.every((endpoint) => whose.some((who) => isOf(endpoint, who))) &&
        whose.every((who) => ready.some((endpoint) => isOf(endpoint, who))))
    const names = ready.map(({ name }) => name).join(', ')
    const counted = (Object.keys(counts) as Counted[])
      .filter((what) => found[what] > 0 || wanted.some(([one]) => one === what))
      .map((what) => countWords(what, found[what]))
    return {
      ok: right && wanted.every(([what, count]) => found[what] === count),
      observed: `${counted.join(', ') || 'none'}${names === '' ? '' : `; ready: ${names}`}`,
    }
  },
  look: (_, _seen, { topology }) => ({
    where: topology.nodes[0]?.name ?? '',
    command: 'kubectl get endpointslices -A',
  }),
})

function countsOf(all: readonly ServiceEndpoint[], slices: number): Record<Counted, number> {
  const count = (is: (endpoint: ServiceEndpoint) => boolean) => all.filter(is).length
  return {
    ready: count(({ ready }) => ready),
    notReady: count(({ ready }) => !ready),
    serving: count(({ serving }) => serving),
    terminating: count(({ terminating }) => terminating),
    slices,
  }
}

function countWords(what: Counted, count: number): string {
  if (what === 'slices') return `${count} slice${count === 1 ? '' : 's'}`
  return `${count} ${what === 'notReady' ? 'not ready' : what}`
}
