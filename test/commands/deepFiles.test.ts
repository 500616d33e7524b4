import t from 'tap'
import { vethlab } from './cli.js'

t.test('files that nest too deeply are invalid input, with their position', (t) => {
  const nest = '- '.repeat(100_000)
  const object = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const cwd = t.testdir({
    deep: { 'lab.yaml': `steps: ${nest}\n` },
    'nest.yaml': nest,
    'object.json': object,
  })
  for (const [args, at] of [
    [['run', './deep'], 'deep/lab.yaml:1:'],
    [['render', '-f', 'nest.yaml'], 'nest.yaml:1:1001'],
    [['render', '-f', 'object.json'], 'object.json:1:2501'],
  ] as const) {
    const { code, stderr } = vethlab(args, { cwd })
    t.equal(code, 2, stderr.slice(0, 300))
    t.ok(stderr.includes(at), stderr.slice(0, 300))
    t.match(stderr, /nested deeper than 500 levels; .*60 levels/)
  }
  t.end()
})
