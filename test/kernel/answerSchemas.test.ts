import { readFileSync, readdirSync } from 'node:fs'
import t from 'tap'
import * as z from 'zod'
import type { Attempt } from '../../src/lab/workshop/progress.js'
import { loadVerb, verbGroups } from '../../src/commands/program/verbs.js'
import { newClass } from '../../src/workshop/class/newClass.js'
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
async function problemsOf(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout, stderr } = await vethlab(args, { env })
  if (stdout === '') return stderr
  const { success, error } = strictSchema(name).safeParse(JSON.parse(stdout))
  return success ? '' : z.prettifyError(error)
}

const bundle = 'test/golden/bundles/dump-target-port/bundle'
const request = ['pod/default/api-66c575b464-dpqkq', '10.43.119.155:80']
const caller = ['nodeport', 'client', '{node-a}:30080']

t.test('each command with --json has a schema', async (t) => {
  const titles = readdirSync('docs/schema').map(
    (file) => (JSON.parse(readFileSync(`docs/schema/${file}`, 'utf8')) as { title: string }).title,
  )
  const verbs = await Promise.all(verbGroups.flatMap(({ verbs }) => verbs.map(loadVerb)))
  const named = verbs.flatMap((verb) => [
    { name: verb.name(), options: verb.options },
    ...verb.commands.map((inner) => ({ name: `${verb.name()} ${inner.name()}`, options: inner.options })),
  ])
  const withJson = named.filter(({ options }) => options.some(({ long }) => long === '--json'))
  t.ok(withJson.length > 10)
  for (const { name } of withJson)
    t.ok(
      titles.some((title) => title.startsWith(`vethlab ${name} `)),
      name,
    )
})

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
    ['plan', ['plan', 'nodeport', '--json']],
    // keys, and commands of containers
    ['plan', ['plan', 'gateway', '--json']],
    ['reach', ['reach', bundle, '--json']],
    ['reach-compared', ['reach', 'nodeport', '--plan', '--against-mode', 'nftables', '--json']],
  ] as const)
    t.equal(await problemsOf(name, args), '', args.join(' '))
})

t.test('and so are the results of a class', async (t) => {
  const attempt: Attempt = {
    ...{ directory: '/labs', startedAt: '2026-01-02T03:04:05.678Z', hints: 2, sawSolution: false },
    ...{ passedAt: '2026-01-02T03:14:05.678Z', quizzes: { one: { answer: 1, right: true } } },
  }
  const state = t.testdir({
    vethlab: {
      'class.json': JSON.stringify(newClass('A class', ['ada', 'bob'], undefined, 1)),
      'workshop-ada.json': JSON.stringify({ exercises: { island: attempt } }),
    },
  })
  const env = { XDG_STATE_HOME: state, SUDO_UID: '' }
  t.equal(await problemsOf('workshop-results', ['workshop', 'results', '--json'], env), '')
})

t.test('and so are those of labs that ran', { skip: cannotRun }, async (t) => {
  for (const [name, args] of [
    ['run', ['run', 'no-endpoints', '--reporter', 'json']],
    ['run-several', ['run', 'no-endpoints', 'iptables-basics', '--reporter', 'json']],
    ['run-compared', ['run', 'no-endpoints', '--compare', '--reporter', 'json']],
    ['mutate', ['mutate', 'no-endpoints', '--rule', 'KUBE-SEP-*', '--json']],
    ['mutate-several', ['mutate', 'no-endpoints', 'no-endpoints', '--rule', 'KUBE-SEP-*', '--json']],
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
