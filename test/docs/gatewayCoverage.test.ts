import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { featuresOf } from '../../src/ingress/gateway/features.js'

const rows = readFileSync('test/gateway-coverage.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, test = '']) => /^(Gateway|HTTPRoute|GRPC|TLSRoute|ListenerSet)\w+$/.test(test))
  .map(([, test = '', level = '', , where = '']) => ({ test, level, where }))

t.test('each row names tests and steps that there are, or says why there is none', async (t) => {
  for (const { test, where } of rows) {
    const files = [...where.matchAll(/`(test\/[\w/.]+)`/g)].map(([, file = '']) => file)
    const steps = [...where.matchAll(/`([a-z0-9-]+)` › ([^;]+?)(?=; `|\. [A-Z]|$)/g)]
    if (files.length + steps.length === 0) t.match(where, /^not covered: .{20,}/, test)
    for (const file of files) {
      // a test by another name is named after the file
      const named = new RegExp(`${file}\`, (\\w+)`).exec(where)?.[1] ?? test
      t.ok(
        textOf(file).includes(named.replace(/30[378]/, '${status}')) || textOf(file).includes(named),
        `${file} has ${named}`,
      )
    }
    for (const [, lab = '', step = ''] of steps)
      t.ok(
        stepsOf(lab).some((name) => name.startsWith(step)),
        `${test}: a step of the lab ${lab} begins "${step}"`,
      )
  }
})

t.test('each conformance test that a test here is named after has its row', async (t) => {
  const files = [
    ...readdirSync('test/kernel')
      .filter((name) => /^gateway\w+\.test\.ts$/.test(name))
      .map((name) => join('test/kernel', name)),
    'test/ingress/gateway/statuses.test.ts',
    'test/ingress/gateway/listenerSets.test.ts',
  ]
  const named = files.flatMap((file) =>
    [
      ...textOf(file).matchAll(/(?:name: |test\(|\[)'((?:Gateway|HTTPRoute|GRPC|TLSRoute|ListenerSet)\w+)'/g),
    ].map(([, name = '']) => name),
  )
  t.ok(named.length > 50, `${named.length} names`)
  const known = new Set(rows.map(({ test }) => test))
  t.same(
    [...new Set(named)].filter((name) => !known.has(name) && !kinds.includes(name)),
    [],
  )
})

t.test('each feature that a class lists has a row that is covered', async (t) => {
  const covered = rows.filter(({ where }) => !where.startsWith('not covered'))
  const text = covered.map(({ test, level }) => `${test} ${level}`).join('\n')
  for (const { name } of [...featuresOf('nginx'), ...featuresOf('haproxy')]) {
    const isCore = [...kinds, 'ReferenceGrant', 'ListenerSet'].includes(name)
    t.ok(isCore || new RegExp(`\\b${name}\\b`).test(text), name)
  }
})

t.test('every reason of a condition is documented', async (t) => {
  const folder = 'src/ingress/gateway'
  const text = textOf('docs/gateway.md')
  const reasons = readdirSync(folder).flatMap((file) =>
    [...textOf(join(folder, file)).matchAll(/(?:reason: |refused\(|broken\()'(\w+)'/g)].map(
      ([, reason = '']) => reason,
    ),
  )
  t.ok(reasons.length > 15)
  for (const reason of new Set(reasons))
    t.ok(reason === 'NoConflicts' || text.includes(`\`${reason}\``), reason)
})

const kinds = ['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'Gateway']

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function stepsOf(lab: string): string[] {
  const { steps } = parse(textOf(join('labs', lab, 'lab.yaml')) || 'steps: []') as {
    steps: { name: string }[]
  }
  return steps.map(({ name }) => name)
}
