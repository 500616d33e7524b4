import t, { type Test } from 'tap'
import { jsonPatch as applyJsonPatch } from '../../src/apiserver/write/patch/jsonPatch.js'
import { UnprocessablePatch } from '../../src/apiserver/write/writeErrors.js'
import type { Json } from '../../src/cluster/yaml/json.js'
import { maxDepth } from '../../src/cluster/yaml/limits.js'
import { service } from '../cluster/lab.js'
import { writableLab } from './writableLab.js'

t.setTimeout(300_000)
const web = '/api/v1/namespaces/default/services/web'
const services = '/api/v1/namespaces/default/services'
const jsonPatch = 'application/json-patch+json'
const copiesAtMost = 3 * 2 ** 20

async function patched(t: Test, operations: readonly object[]) {
  const lab = await writableLab(t, service('web'))
  const { code, json } = await lab.send('PATCH', web, operations, jsonPatch)
  return { code, json, lab }
}

/** Why a JSON patch of the Service cannot be applied, which the answer of the API server does not say. */
async function whyUnprocessable(t: Test, operations: readonly object[]): Promise<string | undefined> {
  const lab = await writableLab(t, service('web'))
  try {
    applyJsonPatch((await lab.send('GET', web)).json as Json, operations as unknown as Json)
  } catch (error) {
    if (error instanceof UnprocessablePatch) return error.why
    throw error
  }
  return undefined
}

void t.test('a JSON patch of copies that double ends at the limit of the API server', async (t) => {
  const doubling = [
    { op: 'add', path: '/metadata/annotations', value: { a: { a: 'x'.repeat(64) } } },
    ...Array.from({ length: 40 }, (_, index) => ({
      op: 'copy',
      from: '/metadata/annotations',
      path: `/metadata/annotations/${index}`,
    })),
  ]
  t.ok(JSON.stringify(doubling).length < 4000)
  const { code } = await patched(t, doubling)
  t.equal(code, 422)
  const cause = (await whyUnprocessable(t, doubling)) ?? ''
  const [, copied = 0, limit = 0] =
    /^Unable to complete the copy, the accumulated size increase of copy is (\d+), exceeding the limit (\d+)$/.exec(
      cause,
    ) ?? []
  t.equal(Number(limit), copiesAtMost)
  t.ok(Number(copied) > copiesAtMost && Number(copied) < 3 * copiesAtMost, `copied ${copied}`)
})

void t.test('a JSON patch has at most 10,000 operations', async (t) => {
  const test = { op: 'test', path: '/spec/ports/0/port', value: 80 }
  const { code, json, lab } = await patched(t, Array<object>(10_001).fill(test))
  t.equal(code, 413)
  t.match(json, {
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  })
  t.equal((await lab.send('PATCH', web, Array<object>(10_000).fill(test), jsonPatch)).code, 200)
})

void t.test('operations on a long list do not copy it', async (t) => {
  const list = Array<number>(500_000).fill(1)
  const before = process.memoryUsage().heapUsed
  const { code } = await patched(t, [
    { op: 'add', path: '/metadata/annotations', value: { list } },
    ...Array<object>(9000).fill({ op: 'add', path: '/metadata/annotations/list/-', value: 1 }),
    { op: 'remove', path: '/metadata/annotations' },
  ])
  t.equal(code, 200)
  t.ok(process.memoryUsage().heapUsed - before < 2 ** 30)
})

void t.test('moves do not nest an object deeper than a request may', async (t) => {
  const steps = maxDepth - 10
  const nest = '{"a":'.repeat(steps) + '{}' + '}'.repeat(steps)
  const bottom = `/metadata/annotations${'/a'.repeat(steps)}`
  const moves = [
    { op: 'add', path: '/metadata/annotations', value: {} },
    ...Array.from({ length: 30 }, () => [
      { op: 'move', from: '/metadata/annotations', path: '/metadata/labels' },
      { op: 'add', path: '/metadata/annotations', value: JSON.parse(nest) as object },
      { op: 'move', from: '/metadata/labels', path: `${bottom}/a` },
    ]).flat(),
  ]
  t.equal((await patched(t, moves)).code, 422)
  t.match(await whyUnprocessable(t, moves), `nested deeper than ${maxDepth} levels`)
})

void t.test('bodies that nest too deeply are a bad request at every door', async (t) => {
  const lab = await writableLab(t, service('web'))
  const many = 200_000
  const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const deep: readonly [method: string, path: string, contentType: string, body: string][] = [
    ['POST', services, 'application/yaml', 'a: '.repeat(many)],
    ['POST', services, 'application/yaml', '- '.repeat(many)],
    ['POST', services, 'application/yaml', '['.repeat(many)],
    ['POST', services, 'application/json', nested],
    ['PUT', web, 'application/json', nested],
    ['PATCH', `${web}?fieldManager=test`, 'application/apply-patch+yaml', 'a: '.repeat(many)],
    ['PATCH', web, 'application/merge-patch+json', nested],
    ['PATCH', web, 'application/strategic-merge-patch+json', nested],
    ['PATCH', web, jsonPatch, `[{"op":"add","path":"/metadata/labels","value":${nested}}]`],
    ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'application/json', nested],
    ['DELETE', web, 'application/json', nested],
  ]
  for (const [method, path, type, body] of deep) {
    const { code, json } = await lab.send(method, path, body, type)
    t.equal(code, 400, `${method} ${path} ${type} ${body.slice(0, 5)}`)
    t.match(json, { reason: 'BadRequest', message: /nested deeper than 500 levels|JSON object/ })
  }
})

void t.test('merge keys and aliases are read as in Kubernetes, or are a bad request', async (t) => {
  const lab = await writableLab(t, service('web'))
  const body = (metadata: string) =>
    `apiVersion: v1\nkind: Service\nmetadata:\n  name: merged\n${metadata}spec: {ports: [{port: 80}]}\n`
  const merged = await lab.send(
    'POST',
    services,
    body('  labels: &all {a: b}\n  annotations: {<<: *all, c: d}\n'),
    'application/yaml',
  )
  t.match(merged.json, { metadata: { annotations: { a: 'b', c: 'd' } } })
  for (const [metadata, why] of [
    ['  labels: {<<: 7}\n', /map merge requires map/],
    ['  labels: {<<: *none}\n', /unknown anchor/],
    ['  labels: &x [*x]\n', /value contains itself/],
    ['  labels: &x {<<: *x}\n', /value contains itself/],
    [`  labels: {${'a: !!str 1, '.repeat(40_000)}}\n`, /more than 100000 tokens of YAML/],
  ] as const)
    t.match((await lab.send('POST', services, body(metadata), 'application/yaml')).json, {
      code: 400,
      message: why,
    })
})
