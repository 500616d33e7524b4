import { basename } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import t, { type Test } from 'tap'
import { cliPath } from '../../src/host/builtFiles.js'
import { findHolders } from '../../src/host/holders.js'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { vethlab } from './servedCommands.js'

const bundle = 'test/golden/bundles/dump-target-port/bundle'

/** What a tool answered. */
interface Answer {
  readonly text: string
  readonly failed: boolean
  readonly value: unknown
}

/** A client of `vethlab mcp`, which the test closes. */
async function client(t: Test, set: Readonly<Record<string, string>> = {}, ...flags: string[]) {
  const own = new Client({ name: 'test', version: '1' })
  const all = Object.entries({ ...process.env, ...set })
  const env = Object.fromEntries(all.map(([name, value]) => [name, value ?? '']))
  await own.connect(
    new StdioClientTransport({ command: process.execPath, args: [cliPath(), 'mcp', ...flags], env }),
  )
  t.teardown(() => own.close())
  const call = async (name: string, given: Readonly<Record<string, unknown>> = {}): Promise<Answer> => {
    const { content, isError, structuredContent } = await own.callTool({ name, arguments: { ...given } })
    const [{ text = '' } = {}] = content as readonly { readonly text?: string }[]
    return { text, failed: isError === true, value: structuredContent }
  }
  return { own, call }
}

t.test('an assistant asks about a bundle, and can change nothing', async (t) => {
  const { own, call } = await client(t)
  const { tools } = await own.listTools()
  t.strictSame(
    tools.map(({ name }) => name),
    ['labs', 'check', 'why', 'trace', 'reach', 'request', 'explain'],
  )
  t.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true))
  t.match(await call('check', { what: bundle }), { failed: false, text: /declares tcp port 8080/ })
  const request = { what: bundle, from: 'pod/default/api-66c575b464-dpqkq', to: '10.43.119.155:80' }
  const why = await call('why', { ...request, json: true })
  t.match(why.value, {
    version: 1,
    outcome: String,
    findings: [{ causes: [{ code: 'targetport-unserved' }] }],
  })
  t.strictSame(JSON.parse(why.text), why.value)
  t.match(await call('trace', request), { failed: false, text: /DNAT/ })
  t.match(await call('explain', { code: 'targetport-unserved' }), { failed: false, text: /targetPort/ })
  t.match(await call('labs'), { failed: false, text: /"lab": "nodeport"/ })

  t.comment('what is wrong is an answer, and ends nothing')
  t.match(await call('apply', { lab: 'nodeport', manifests: '{}' }), { failed: true, text: /apply/ })
  t.match(await call('check', { what: './nowhere' }), { failed: true, text: /nowhere/ })
  t.match(await call('check', { what: '--json' }), { failed: true, text: /--json/ })
  t.match(await call('why', { ...request, to: ['x'] }), { failed: true })
  t.match(await call('check', { what: bundle, output: '/tmp/x' }), { failed: true, text: /output/ })
  t.match(await call('request', { lab: 'no-such-lab', from: 'a', to: 'b' }), {
    failed: true,
    text: /not running/,
  })
})

t.test(
  'an assistant is judged by its cause and its fix, every time alike',
  { skip: cannotRun },
  async (t) => {
    const owner = `judged-${process.pid}`
    const name = 'nobody-home'
    t.teardown(() => vethlab(['down', name, '--as', owner]))
    const { own, call } = await client(t, { VETHLAB_AS: owner, XDG_STATE_HOME: t.testdir({}) }, '--write')
    const { tools } = await own.listTools()
    t.ok(tools.some((one) => one.name === 'exercise_submit' && one.annotations?.readOnlyHint === false))
    t.match(await call('exercises'), { value: { exercises: [{ name: String, level: 1, title: String }] } })
    t.match(await call('exercise_state', { exercise: name }), { failed: true, text: /not started yet/ })
    const { value: begun } = await call('exercise_start', { exercise: name })
    t.match(begun, { exercise: name, task: /shop/, places: ['node-a'] })
    t.notMatch(JSON.stringify(begun), /selector/)
    t.match(await call('exercise_state', { exercise: name }), { value: { failed: { 'node-a': String } } })
    const run = (command: string) => call('exercise_command', { exercise: name, command })
    t.match(await run(`vethlab kubectl ${name} get service shop -o wide`), {
      value: { code: 0, output: /app=shopp/ },
    })

    const cause = 'selector-matches-nothing'
    const patch = (labels: string) =>
      `vethlab kubectl ${name} patch service/shop -p '{"spec":{"selector":{${labels}}}}'`
    const right = { exercise: name, cause, fix: [patch('"app":"shop"')] }
    const solved = { causeIsRight: true, commands: [{ code: 0 }], failed: {}, solved: true }
    t.match((await call('exercise_submit', right)).value, solved)
    t.match(await call('exercise_state', { exercise: name }), { value: { failed: {} } })
    const wrong = { ...right, fix: [patch('"app":"shopping"')] }
    const { value: broken } = await call('exercise_submit', wrong)
    t.match(broken, { causeIsRight: true, failed: { 'node-a': String, 'node-b': String }, solved: false })
    t.match((await call('exercise_submit', { ...right, cause: 'rp-filter' })).value, {
      ...solved,
      ...{ causeIsRight: false, solved: false },
    })
    t.strictSame((await call('exercise_submit', wrong)).value, broken, 'what was tried before does not count')
    const fails = { ...right, fix: ['vethlab kubectl nobody-home delete service nothing', ...right.fix] }
    t.match((await call('exercise_submit', fails)).value, { commands: [{ code: 1 }], solved: false })

    t.comment('what is no answer')
    const refused = async (change: object, text: RegExp) =>
      t.match(await call('exercise_submit', { ...right, ...change }), { failed: true, text })
    await refused({ cause: 'a typo' }, /"a typo" is no code of a cause/)
    await refused({ fix: ['rm -r /'] }, /not a command for a lab/)
    await refused({ fix: ['vethlab kubectl other get pods'] }, /the lab is "nobody-home", not "other"/)
    await refused({ fix: ['vethlab workshop solve'] }, /not a command for a lab/)
    t.match(await run(`vethlab exec ${name} node-a -- ls | cat && reboot`), {
      ...{ failed: true, text: /needs a shell/ },
    })
  },
)

t.test('with --write it starts, changes and resets a lab', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'no-endpoints')
  const lab = basename(path)
  t.teardown(() => vethlab(['down', lab]))
  const { call } = await client(t, {}, '--write')
  t.match(await call('up', { what: path }), { failed: false, text: new RegExp(`${lab} is running`) })
  const manifests =
    'apiVersion: v1\nkind: Service\nmetadata: { name: more }\nspec: { ports: [{ port: 80 }] }\n'
  t.match(await call('apply', { lab, manifests }), { failed: false, text: 'service/more created' })
  t.match(await call('apply', { lab, manifests: 'kind: Nothing' }), { failed: true, text: /manifests\.yaml/ })
  const sent = await call('request', { lab, from: 'client', to: '{node-a}:30080', json: true })
  t.match(sent.value, { version: 1, lab, outcome: String })
  const pidOf = () => findHolders().find((one) => one.lab === lab)?.pid
  const before = pidOf()
  t.match(await call('reset', { lab }), { failed: false, text: new RegExp(`${lab} is running`) })
  t.not(pidOf(), before)
  t.match(await call('apply', { lab, manifests }), { text: 'service/more created' }, 'it was undone')
  t.match(await call('down', { lab }), { failed: false, text: /was removed/ })
  t.equal(pidOf(), undefined)
})
