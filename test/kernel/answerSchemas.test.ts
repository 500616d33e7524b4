import { readFileSync } from 'node:fs'
import t from 'tap'
import * as z from 'zod'
import { cannotRun } from './ability.js'
import { vethlab } from './servedCommands.js'

type Schema = Readonly<Record<string, unknown>>

/** The schema of an answer, in which objects have no other fields than it names. */
function strictSchema(name: string): z.ZodType {
  const schema = JSON.parse(readFileSync(`docs/schema/${name}.v1.json`, 'utf8')) as Schema
  return z.fromJSONSchema(strict(schema) as Parameters<typeof z.fromJSONSchema>[0])
}

function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const own = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]))
  return 'properties' in own && !('additionalProperties' in own)
    ? { ...own, additionalProperties: false }
    : own
}

/** What the schema says of the answer of a command; nothing if it is valid. */
async function problemsOf(name: string, args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await vethlab(args)
  if (stdout === '') return stderr
  const { success, error } = strictSchema(name).safeParse(JSON.parse(stdout))
  return success ? '' : z.prettifyError(error)
}

const bundle = 'test/golden/bundles/dump-target-port/bundle'
const request = ['pod/default/api-66c575b464-dpqkq', '10.43.119.155:80']
const caller = ['nodeport', 'client', '{node-a}:30080']

t.test('answers from files are as their schemas say', async (t) => {
  for (const [name, args] of [
    ['check', ['check', bundle, '--json']],
    ['check', ['check', 'nodeport', '--plan', '--json']],
    ['why', ['why', bundle, ...request, '--json']],
    ['why', ['why', ...caller, '--plan', '--json']],
    ['why', ['why', ...caller, '--plan', '--after', 'node-a iptables -P FORWARD DROP', '--json']],
    ['trace-predicted', ['trace', ...caller, '--predict', '--json']],
    ['trace-compared', ['trace', ...caller, '--predict', '--compare', 'nftables', '--json']],
    ['rules', ['rules', bundle, 'worker-1', '--json']],
    ['explain', ['explain', '--json']],
    ['explain', ['explain', 'rp-filter', '--json']],
    ['list', ['list', '--json']],
    ['doctor', ['doctor', '--json']],
    ['ps', ['ps', '--json']],
    ['reach', ['reach', bundle, '--json']],
    ['reach-compared', ['reach', 'nodeport', '--plan', '--against-mode', 'nftables', '--json']],
  ] as const)
    t.equal(await problemsOf(name, args), '', args.join(' '))
})

t.test('and so are those of labs that ran', { skip: cannotRun }, async (t) => {
  for (const [name, args] of [
    ['run', ['run', 'no-endpoints', '--reporter', 'json']],
    ['trace', ['trace', ...caller, '--json']],
  ] as const)
    t.equal(await problemsOf(name, args), '', args.join(' '))
})

t.test('a field that a schema does not name is noticed', async (t) => {
  const { stdout } = await vethlab(['why', ...caller, '--plan', '--json'])
  const answer = JSON.parse(stdout) as Schema
  t.ok(strictSchema('why').safeParse(answer).success)
  t.notOk(strictSchema('why').safeParse({ ...answer, more: 1 }).success)
  t.notOk(strictSchema('why').safeParse({ ...answer, version: 'one' }).success)
  const request = { ...(answer['request'] as Schema), more: 1 }
  t.notOk(strictSchema('why').safeParse({ ...answer, request }).success, 'inside, too')
})
