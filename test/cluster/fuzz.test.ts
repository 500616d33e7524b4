import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { buildCluster } from '../../src/cluster/cluster.js'
import { parseManifests } from '../../src/cluster/manifests/manifests.js'
import { clusterNotices } from '../../src/cluster/manifests/notices.js'
import { topologyView } from '../../src/cluster/view.js'
import type { Cluster } from '../../src/cluster/types.js'
import { validateService } from '../../src/cluster/validation/service.js'
import { InputError } from '../../src/errors.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { cluster, service, twoNodes, written } from './lab.js'
import { runs } from '../suite.js'
import { codePoint } from '../codePoint.js'

const shop = parseAllDocuments(readFileSync('test/fixtures/shop/shop.yaml', 'utf8'))
  .slice(0, 4)
  .map((document) => document.toJS() as unknown)
const rows = ['errors', 'errors-2'].flatMap(
  (name) =>
    parse(readFileSync(`test/golden/api-server-1.36/${name}.yaml`, 'utf8')) as {
      objects?: unknown[]
      then?: { patch?: [string, unknown] }
    }[],
)
const wrong = rows.flatMap((row) => row.objects ?? [])
const patches = rows.flatMap(({ then }) => (then?.patch?.[0].startsWith('service/') ? [then.patch[1]] : []))
const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-a' },
  spec: { podCIDR: '10.244.7.0/29' },
}
const seeds = [...shop, ...wrong, node]

/** Any text is either built or rejected with a message. */
function survives(text: string): boolean {
  try {
    const { objects } = parseManifests([{ path: 'fuzz.yaml', text }])
    const built = buildCluster(objects, twoNodes)
    topologyView(built, [], defaultRanges)
    clusterNotices(built)
    return true
  } catch (error) {
    if (error instanceof InputError) return error.problems.every((problem) => problem.message !== '')
    throw error
  }
}

const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    [],
    {},
    [null],
    [[]],
    '',
    0,
    -1,
    1.5,
    65536,
    2 ** 40,
    true,
    'None',
    'IPv6',
    'Local',
  ),
  fc.constantFrom(
    '10.96.0.10',
    'fd00::1',
    '10.0.0.0/8',
    'NodePort',
    'LoadBalancer',
    '$(reboot)',
    '__proto__',
    'a\nb',
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Replaces, removes or adds at a position that a list of numbers selects. */
function mutate(value: unknown, picks: readonly number[], odd: unknown): unknown {
  const [pick = 0, ...rest] = picks
  if (rest.length === 0 || typeof value !== 'object' || value === null) return odd
  if (Array.isArray(value)) {
    if (value.length === 0) return [odd]
    const index = pick % value.length
    return value.map((item: unknown, at) => (at === index ? mutate(item, rest, odd) : item))
  }
  const entries = Object.entries(value)
  if (entries.length === 0 || pick % 7 === 6)
    return { ...value, [typeof odd === 'string' ? odd : 'odd']: odd }
  const index = pick % entries.length
  return Object.fromEntries(
    entries.flatMap(([key, item], at): [string, unknown][] => {
      if (at !== index) return [[key, item]]
      return pick % 5 === 4 ? [] : [[key, mutate(item, rest, odd)]]
    }),
  )
}

t.test('mutated objects', (t) => {
  const picks = fc.array(fc.nat(1000), { minLength: 1, maxLength: 9 })
  const object = fc
    .tuple(fc.constantFrom(...seeds), fc.array(fc.tuple(picks, oddValue), { minLength: 1, maxLength: 3 }))
    .map(([seed, changes]) => changes.reduce((value, [at, odd]) => mutate(value, at, odd), seed))
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 3 }), (objects) =>
      survives(objects.map((item) => stringify(item)).join('---\n')),
    ),
    { numRuns: runs(1500) },
  )
  t.pass('nothing but InputError')
  t.end()
})

t.test('mutated patches of a Service, one after the other', (t) => {
  const dual = { ...twoNodes, families: ['IPv4', 'IPv6'] as const, now: '2026-01-02T03:04:05Z' }
  const text = service('web', 'type: LoadBalancer, externalTrafficPolicy: Local') + service('other')
  const start = cluster(text, dual)
  const picks = fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 })
  const patch = fc.oneof(
    fc.constantFrom(...patches),
    fc
      .tuple(fc.constantFrom(...patches), picks, oddValue)
      .map(([seed, at, odd]: [unknown, number[], unknown]) => mutate(seed, at, odd)),
  )
  const patched = (before: Cluster, value: unknown): Cluster => {
    try {
      const ref = { kind: 'Service', name: 'web' }
      return written(before, { verb: 'patch', ref, patch: value }, dual).cluster
    } catch (error) {
      if (error instanceof InputError) return before
      throw error
    }
  }
  fc.assert(
    fc.property(fc.array(patch, { minLength: 1, maxLength: 6 }), (values) => {
      const { services } = values.reduce(patched, start)
      const [web] = services.filter(({ metadata }) => metadata.name === 'web')
      // What an update leaves is what the API server would accept again.
      return web !== undefined && validateService(web).length === 0
    }),
    { numRuns: runs(1000) },
  )
  t.pass('a valid Service after every accepted patch')
  t.end()
})

t.test('mutated text', (t) => {
  const whole = stringify(seeds[0]) + '---\n' + stringify(seeds[1])
  const scrap = fc.oneof(
    fc.constantFrom('&a ', '*a', '<<: ', '!!int ', '---\n', '{', '[', '"', '\t', '? ', '%YAML 1.1\n'),
    fc.string(),
  )
  const cut = fc.tuple(fc.nat(whole.length), fc.nat(40), scrap)
  fc.assert(
    fc.property(fc.array(cut, { minLength: 1, maxLength: 4 }), (cuts) =>
      survives(
        cuts.reduce(
          (text, [from, length, scrapText]) => text.slice(0, from) + scrapText + text.slice(from + length),
          whole,
        ),
      ),
    ),
    { numRuns: runs(800) },
  )
  fc.assert(fc.property(fc.string({ unit: codePoint, maxLength: 200 }), survives), { numRuns: runs(500) })
  t.pass('nothing but InputError')
  t.end()
})
