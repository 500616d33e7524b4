import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { stringify } from 'yaml'
import { findHolders } from '../../src/host/holders.js'
import { processesFrom } from '../../src/host/sandbox/processTree.js'
import { observerTable } from '../../src/netfilter/trace/observer.js'
import { isFull, runs } from '../suite.js'
import { until } from '../until.js'
import { cannotRun } from './ability.js'
import { start, type Started } from './commandLine.js'
import { commandLineOf, processesWith, unaccepted } from './machineState.js'
import { vethlab } from './servedCommands.js'

/** Far longer than a signal needs, and far shorter than what the command waits for. */
const deadlineMs = 60_000
/** What a step waits for: nothing that comes. */
const longSeconds = 600

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Pods that take ten minutes to end. */
const slowToEnd = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        terminationGracePeriodSeconds: longSeconds,
        containers: [
          {
            name: 'web',
            image: 'web',
            ports: [{ containerPort: 80 }],
            lifecycle: { preStop: { sleep: { seconds: longSeconds } } },
          },
        ],
      },
    },
  },
}

const waiting = {
  'a wait step': [
    { name: 'it waits', wait: { for: 'pod/other', until: 'running', timeout: `${longSeconds}s` } },
  ],
  'a change that settles': [{ name: 'it waits', scale: { 'deployment/web': 0 }, settle: `${longSeconds}s` }],
  'a load': [
    { name: 'it asks', load: { name: 'asking', nc: { host: '{node-a}', port: 1 }, every: '20ms' } },
    { name: 'it waits', command: ['sleep', '599'] },
  ],
  'a command': [
    { name: 'it waits', command: { argv: ['sh', '-c', 'sleep 599; true'], timeout: `${longSeconds}s` } },
  ],
}

/** A lab under a name that no other test has. */
function labFolder(t: Test, steps: readonly unknown[], objects: readonly unknown[] = [slowToEnd]): string {
  const folder = join(t.testdir(), `ends-${process.pid}-${Math.random().toString(36).slice(2, 8)}`)
  mkdirSync(join(folder, 'manifests'), { recursive: true })
  writeFileSync(join(folder, 'lab.yaml'), stringify({ title: 'Waits', manifests: ['manifests'], steps }))
  writeFileSync(join(folder, 'manifests/all.yaml'), objects.map((one) => stringify(one)).join('---\n'))
  return folder
}

/** Sends the signal; the command ends with its code, and neither its processes nor those of its lab are left. */
async function endsBy(t: Test, running: Started, signal: keyof typeof codes, lab?: string): Promise<void> {
  const own = processesFrom(running.pid)
  const before = performance.now()
  running.kill(signal)
  const ended = await Promise.race([running.ended, delay(deadlineMs, undefined, { ref: false })])
  if (ended === undefined) {
    running.kill('SIGKILL')
    t.fail(`${signal} does not end it`)
    return
  }
  t.comment(`figure: ${signal} ended the command after ${Math.round(performance.now() - before)} ms`)
  // a command with nothing to remove ends by the signal itself: shells show the same code
  const code = ended.signal === signal ? codes[signal] : ended.code
  t.equal(code, codes[signal], `it ends with the code of ${signal}`)
  t.notMatch(ended.stderr, /\bat .*:\d+:\d+/, 'no stack trace')
  t.ok(await until(() => own.every((pid) => !existsSync(`/proc/${pid}`))), 'its processes are gone')
  if (lab !== undefined) t.ok(await until(() => processesWith(lab).length === 0), 'its lab is gone')
}

for (const [index, [name, steps]] of Object.entries(waiting).entries()) {
  const signal = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const)[index % 3] ?? 'SIGINT'
  t.test(`${signal} ends a run in ${name}`, { skip: cannotRun }, async (t) => {
    const folder = labFolder(t, steps)
    const run = start(['run', folder, '--reporter', 'events'])
    await run.says('"step":"it waits"')
    await endsBy(t, run, signal, basename(folder))
  })
}

t.test('SIGINT ends a lab that is being built', { skip: cannotRun }, async (t) => {
  const never = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'never' },
    spec: {
      containers: [
        { name: 'never', image: 'never', command: ['sleep', '599'], ports: [{ containerPort: 80 }] },
      ],
    },
  }
  const folder = labFolder(t, [{ name: 'unreached', command: ['true'] }], [never])
  const up = start(['up', folder])
  const lab = basename(folder)
  t.ok(await until(() => processesWith('599').length > 0), 'it waits for the pod to listen')
  await endsBy(t, up, 'SIGINT', lab)
})

t.test('a sandbox that does not end is not waited for after a signal', { skip: cannotRun }, async (t) => {
  const folder = labFolder(t, waiting['a wait step'])
  const run = start(['run', folder, '--reporter', 'events'])
  await run.says('"step":"it waits"')
  // stopped, its first process does not learn that its input has ended
  const [first = 0] = processesWith(basename(folder)).filter((pid) => commandLineOf(pid).startsWith('sh -c'))
  t.not(first, 0)
  process.kill(first, 'SIGSTOP')
  await endsBy(t, run, 'SIGTERM', basename(folder))
})

t.test('signals end the commands for a lab that is up', { skip: cannotRun }, async (t) => {
  const folder = labFolder(t, [])
  const lab = basename(folder)
  t.teardown(() => vethlab(['down', lab]))
  t.equal((await vethlab(['up', folder])).code, 0)

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const exec = start(['exec', lab, 'client', '--', 'sh', '-c', 'echo begun; exec sleep 599'])
    await exec.says('begun')
    await endsBy(t, exec, signal)
  }

  const watch = start(['kubectl', '--built-in', lab, 'get', 'pods', '-w'])
  await watch.says('Running')
  await endsBy(t, watch, 'SIGINT')

  const follow = start(['up', folder, '--watch'])
  t.equal((await follow.ended).code, 2, 'it is already running')

  const scale = start(['kubectl', '--built-in', lab, 'scale', 'deployment/web', '--replicas', '0'])
  await scale.says('scaled')
  await endsBy(t, scale, 'SIGTERM')
})

t.test('signals end commands that a lab does not answer', { skip: cannotRun }, async (t) => {
  const folder = labFolder(t, [])
  const lab = basename(folder)
  t.teardown(() => vethlab(['down', lab]))
  t.equal((await vethlab(['up', folder])).code, 0)
  const holder = findHolders().find((one) => one.lab === lab)?.pid
  // 0 would stop the tests themselves
  if (holder === undefined) throw new Error('no process holds the lab')
  process.kill(holder, 'SIGSTOP')
  t.teardown(() => process.kill(holder, 'SIGCONT'))
  const commands = [
    ['forward', lab, ':node/node-a:80'],
    ['view', lab],
    ['kubectl', lab, 'get', 'pods'],
    ['capture', lab, 'client'],
    ['kubectl', '--built-in', lab, 'logs', '-f', 'web'],
    ['trace', lab, 'client', 'http://{node-a}:1/'],
    ['why', lab, 'client', 'http://{node-a}:1/'],
    ['kubectl', '--built-in', lab, 'scale', 'deployment/web', '--replicas', '2'],
  ]
  for (const [index, args] of commands.entries()) {
    const before = unaccepted(holder)
    const command = start(args)
    t.ok(await until(() => unaccepted(holder) > before), `${args[0]} asks the lab`)
    await endsBy(t, command, (['SIGINT', 'SIGTERM', 'SIGHUP'] as const)[index % 3] ?? 'SIGINT')
  }
})

if (isFull)
  t.test('signals end commands while a tool hangs in a lab that is up', { skip: cannotRun }, async (t) => {
    const folder = labFolder(t, [])
    const lab = basename(folder)
    t.teardown(() => vethlab(['down', lab]))
    // a lab sees its own folder
    const tools = join(folder, 'bin')
    mkdirSync(tools)
    for (const tool of ['tcpdump', 'socat'])
      writeFileSync(join(tools, tool), '#!/bin/sh\nexec sleep 601\n', { mode: 0o755 })
    t.equal((await vethlab(['up', folder])).code, 0)
    const env = { PATH: `${tools}:${process.env['PATH'] ?? ''}` }
    const commands = [
      ['view', lab],
      ['capture', lab, 'client'],
      ['trace', lab, 'client', 'http://{node-a}:1/'],
    ]
    const hanging = () => processesWith('601')
    for (const [index, args] of commands.entries()) {
      const command = start(args, { env })
      t.ok(await until(() => hanging().length > 0), `a tool of ${args[0]} hangs`)
      await endsBy(t, command, (['SIGINT', 'SIGTERM', 'SIGHUP'] as const)[index % 3] ?? 'SIGINT')
      t.ok(await until(() => hanging().length === 0), 'it is gone')
    }
  })

t.test(
  'a trace that is interrupted or killed does not stay in a lab that is up',
  { skip: cannotRun },
  async (t) => {
    const folder = labFolder(t, [])
    const lab = basename(folder)
    t.teardown(() => vethlab(['down', lab]))
    t.equal((await vethlab(['up', folder])).code, 0)
    // an address that no host has: the request lasts until the kernel gives up
    const unanswered = ['trace', lab, 'client', 'http://172.18.9.9/']
    const tables = async () => (await vethlab(['exec', lab, 'node-a', '--', 'nft', 'list', 'tables'])).stdout
    const tracing = async () => {
      const trace = start(unanswered)
      const listens = () => processesFrom(trace.pid).some((pid) => commandLineOf(pid).startsWith('socat'))
      t.ok(await until(listens), 'it listens')
      return trace
    }

    for (const signal of (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).slice(0, runs(3, 1))) {
      await endsBy(t, await tracing(), signal)
      t.notMatch(await tables(), observerTable, 'its tables are gone')
    }

    const killed = await tracing()
    // it listens before it marks packets
    while (!(await tables()).includes(observerTable)) continue
    killed.kill('SIGKILL')
    await killed.ended
    t.match(await tables(), observerTable, 'what a killed trace leaves')
    const next = await vethlab(['trace', lab, 'client', 'http://{node-a}:1/'])
    t.equal(next.code, 0, next.stderr)
    t.notMatch(await tables(), observerTable, 'the next trace has replaced and removed it')
  },
)

t.test('a signal ends watching manifests, and the lab stays', { skip: cannotRun }, async (t) => {
  const folder = labFolder(t, [])
  const lab = basename(folder)
  t.teardown(() => vethlab(['down', lab]))
  const up = start(['up', folder, '--watch'])
  await up.says('watching its manifests')
  up.kill('SIGHUP')
  t.equal((await up.ended).code, 129)
  t.match((await vethlab(['ps'])).stdout, lab)
})

t.test('a signal ends mutate', { skip: cannotRun }, async (t) => {
  const folder = labFolder(t, waiting['a command'])
  const mutate = start(['mutate', folder])
  t.ok(await until(() => processesWith('sleep 599; true').length > 0), 'its step runs')
  await endsBy(t, mutate, 'SIGINT', basename(folder))
})
