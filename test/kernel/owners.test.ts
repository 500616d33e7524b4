import { basename } from 'node:path'
import { isFull } from '../suite.js'
import t from 'tap'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import { cannotRun } from './ability.js'
import { copyOfLab, vethlab } from './commandLine.js'
import { copyOfExercise } from './exerciseCopy.js'

const here = (lab: string) => ['exec', lab, 'client', '--', 'cat', '/proc/sys/kernel/hostname']
const mark = (lab: string) => ['kubectl', '--built-in', lab, 'label', 'deployment/my-app', 'marked=yes']

t.test('owners do not reach the labs of others', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const lab = basename(path)
  const as = (owner: string, ...args: readonly string[]) => vethlab(args, { env: { VETHLAB_AS: owner } })
  const [alice, bob] = [`alice-${lab.slice(-6)}`, `bob-${lab.slice(-6)}`]
  t.equal((await vethlab(['up', path, '--as', alice])).code, 0)
  t.teardown(() => Promise.all([alice, bob].map((owner) => as(owner, 'down', '--all'))))

  t.comment('every command that names a lab')
  const client = '{node-a}:30080'
  const attempts: readonly (readonly string[])[] = [
    here(lab),
    mark(lab),
    ['shell', lab, 'client'],
    ['kubectl', '--built-in', lab, 'get', 'pods'],
    ['kubectl', '--built-in', lab, 'describe', 'pod'],
    ['kubectl', lab, 'get', 'nodes'],
    ['kubectl', '--built-in', lab, 'events'],
    ['kubectl', '--built-in', lab, 'logs', 'my-app'],
    ['rules', lab, 'node-a'],
    ['why', lab, '--from', 'client', '--to', client],
    ['trace', lab, '--from', 'client', '--to', client],
    ['capture', lab],
    ['view', lab],
    ['forward', lab, ':my-app:80'],
    ['ingress', lab],
    ['kubeconfig', lab],
    ['kubectl', '--built-in', lab, 'scale', 'deployment/my-app', '--replicas', '0'],
    ['kubectl', '--built-in', lab, 'delete', 'service/my-app'],
    ['kubectl', '--built-in', lab, 'rollout', 'restart', 'deployment/my-app'],
    ['node', lab, 'node-a', 'down'],
    ['down', lab],
  ]
  for (const args of attempts.filter((_, at) => isFull || at % 2 === 0)) {
    const { code, stdout, stderr } = await as(bob, ...args)
    const what = args[0] ?? ''
    t.equal(code, 2, `${what}: ${stdout}${stderr}`)
    t.notMatch(stderr, /running labs:/, `${what} names no lab of another owner`)
  }
  t.match((await as(bob, 'ps')).stdout, /^no lab is running$/m)
  t.match((await as(bob, 'down', '--all')).stdout, /^no lab is running$/m)
  t.notMatch((await vethlab(['ps'])).stdout, lab, 'nor without an owner')
  t.notMatch((await vethlab(['down', '--all', '--as', bob])).stdout, lab)

  t.comment('two labs with one name')
  t.equal((await as(bob, 'up', path)).code, 0)
  t.match(await as(bob, 'up', path), { code: 2, stderr: /is already running/ })
  t.equal((await as(bob, ...mark(lab))).code, 0)
  const marked = (owner: string) =>
    as(owner, 'kubectl', '--built-in', lab, 'get', 'deployments', '-l', 'marked=yes')
  t.match((await marked(bob)).stdout, /my-app/)
  t.notMatch((await marked(alice)).stdout, /my-app/)

  t.comment('nor from inside')
  const inside = async (owner: string, script: string) =>
    (await as(owner, 'exec', lab, 'node-a', '--', 'sh', '-c', script)).stdout
  const holders =
    'for f in /proc/[0-9]*/cmdline; do tr "\\0" " " < $f; echo; done | grep "[ ]hold "; echo done'
  t.equal(await inside(bob, holders), 'done\n', 'no process that holds a lab')
  t.equal(await inside(bob, 'grep -c vethlab- /proc/net/unix'), '0\n', 'no name of a lab')
  t.equal(
    await inside(bob, 'ls /tmp | grep -E "^vethlab-[0-9a-f]{16}$"; echo done'),
    'done\n',
    'no folder of a lab',
  )
  await as(alice, 'exec', lab, 'client', '--', 'sh', '-c', 'echo secret > /tmp/secret')
  t.equal(await inside(bob, 'cat /tmp/secret /proc/*/root/tmp/secret 2>/dev/null; echo done'), 'done\n')

  t.equal((await as(bob, 'down', lab)).code, 0)
  t.equal((await as(alice, ...here(lab))).code, 0, 'the other one still runs')
})

t.test('owners have their own progress', { skip: cannotRun }, async (t) => {
  const copy = copyOfExercise(t, loadExercise('nobody-home').directory)
  const workshop = (owner: string, ...args: readonly string[]) => copy.workshop(...args, '--as', owner)
  t.teardown(() => vethlab(['down', copy.name, '--as', 'alice']))
  t.equal((await workshop('alice', 'start', copy.name)).code, 0)
  t.match(await workshop('bob', 'check'), { code: 2, stderr: /no exercise was started yet/ })
  t.match(await workshop('bob', 'reset', copy.name), { code: 2, stderr: /was not started yet/ })
  t.match(await copy.workshop('status'), { stdout: new RegExp(`^${copy.name} +not started`, 'm') })
  t.match(await workshop('alice', 'check'), { code: 1 })
})

t.test('a name that no owner can have is invalid', async (t) => {
  for (const name of ['../alice', 'Alice', '-a', 'a'.repeat(64), 'a b', '민지'])
    t.match(await vethlab(['ps', '--as', name]), { code: 2, stderr: /must be lower case letters/i }, name)
  t.match(await vethlab(['ps'], { env: { VETHLAB_AS: 'a/b' } }), { code: 2 })
})
