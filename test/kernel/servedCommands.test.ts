import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { start } from './commandLine.js'
import { vethlab } from './servedCommands.js'

t.test('a command says and returns the same as in a process of its own', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const save = join(folder, 'save')
  writeFileSync(save, '*nat\nCOMMIT\n')
  const predict = ['trace', 'nodeport', 'client', 'http://{node-a}:30080/', '--predict']
  for (const [code, args, options] of [
    [0, ['list']],
    [0, ['list'], { cwd: folder }],
    [2, ['run', './no-lab'], { cwd: folder }],
    [2, ['run', 'no-lab']],
    // longer than what is read of an order at once, and not ASCII
    [2, ['run', `x${'é'.repeat(40_000)}`]],
    [0, predict, { env: { COLUMNS: '60' } }],
    [0, predict],
    [2, ['plan', 'nodeport', '--unknown']],
    [0, ['plan', 'nodeport'], { env: { LC_ALL: 'C' } }],
    [0, ['plan', 'nodeport'], { env: { NO_COLOR: '', FORCE_COLOR: '1' } }],
    [0, ['render', '-f', 'labs/nodeport/manifests/app.yaml', '--node', 'node-a']],
    [1, ['diff', save, '-f', 'labs/nodeport/manifests/app.yaml', '--node', 'node-a']],
    [0, ['--version']],
  ] as const) {
    const served = await vethlab(args, options)
    t.strictSame(served, await start(args, options).ended, args.join(' '))
    t.equal(served.code, code, args.join(' '))
  }
})

t.test('commands at the same time do not mix what they say', async (t) => {
  const labs = ['nodeport', 'clusterip', 'no-endpoints', 'nodeport']
  const plans = await Promise.all(labs.map((lab) => vethlab(['plan', lab])))
  for (const [index, lab] of labs.entries())
    t.strictSame(plans[index], await vethlab(['plan', lab]), `the plan of ${lab} alone`)
  t.equal(new Set(plans.map(({ stdout }) => stdout)).size, 3)
})

t.test('after a command that ends its process, the next one has another', async (t) => {
  // its standard input is empty, and then it ends its process
  const serve = ['serve-api', '--host', '127.0.0.1', '--port', '1']
  t.strictSame(await vethlab(serve), await start(serve).ended)
  t.equal((await vethlab(['--version'])).code, 0)
})
