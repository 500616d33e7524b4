import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { Container } from 'dockerode'
import { SaxesParser } from 'saxes'
import t from 'tap'
import { Parser } from 'tap-parser'
import { rights } from '../../../src/host/docker/container.js'
import { runnerLabel } from '../../../src/host/docker/runner.js'
import { cannotRun } from '../../kernel/ability.js'
import { start } from '../../kernel/commandLine.js'
import { importBase, noEngine, startEngine, type TestEngine } from './dockerEngine.js'
import { machineState } from '../../kernel/machineState.js'
import { socketProxy } from './socketProxy.js'

const base = 'vethlab-test-base:trixie'

/** A lab of one step that lasts so many seconds. */
const lasting = (seconds: number) => `
title: takes its time
topology: { nodes: [node-a] }
steps:
  - name: Waits
    from: node-a
    command: { argv: [sleep, '${seconds}'], timeout: 10m }
    expect: { exitCode: 0 }
`

const failing = `
title: fails
topology: { nodes: [node-a], clients: [client] }
steps:
  - name: Nobody listens
    from: client
    curl: { url: 'http://{node-a}/', timeout: 30s }
    expect: { status: 200 }
`

interface ReportedLab {
  readonly lab: string
  readonly ok: boolean
  readonly error?: string
  readonly steps: readonly { readonly checks: readonly { readonly ok: boolean }[] }[]
}

const before = machineState()
const cannotStart = noEngine || cannotRun
const started = cannotStart === false ? await startEngine() : cannotStart
const engine = typeof started === 'string' ? undefined : started
if (engine !== undefined) t.teardown(() => engine.stop())
const reason = typeof started === 'string' ? started : await importBase(started, base)

t.test('labs in containers of a real Docker engine', { skip: reason ?? false }, async (t) => {
  if (engine === undefined) return
  const { docker, socket } = engine
  const address = `unix://${socket}`
  const ci = (args: readonly string[]) =>
    start(['ci', '--base', base, '--build-network', 'host', ...args], { env: { DOCKER_HOST: address } })
  const containers = async () => (await docker.listContainers({ all: true })).length
  const events = await follow(engine)

  await t.test('the Dockerfile builds, two labs run at once, five reports say so', async (t) => {
    const out = join(t.testdir({}), 'out')
    const { code, stdout, stderr } = await ci(['nodeport', 'clusterip', '--jobs', '2', '--out', out]).ended
    t.equal(code, 0, `${stdout}${stderr}`)
    t.match(stderr, /building the image vethlab-ci:[0-9a-f]{12}/)
    t.match(stdout, /✔ nodeport .*\n/)
    t.match(stdout, /2 of 2 labs passed\n$/)
    t.strictSame(
      events.actions().slice(0, 2),
      ['start', 'start'],
      'the second container started before the first ended',
    )
    t.strictSame(readdirSync(out).sort(), [
      'junit.xml',
      'report.html',
      'report.json',
      'report.tap',
      'summary.md',
    ])
    const labs = readReport(out)
    t.strictSame(labs.map(({ lab, ok }) => [lab, ok]).sort(), [
      ['clusterip', true],
      ['nodeport', true],
    ])
    const checks = labs.flatMap(({ steps }) => steps.flatMap((step) => step.checks))
    t.ok(checks.length > 50 && checks.every(({ ok }) => ok), 'all checks were made')
    t.equal(suitesOf(join(out, 'junit.xml')), 2)
    const tap: boolean[] = []
    const parser = new Parser().on('assert', ({ ok }: { ok: boolean }) => tap.push(ok))
    parser.end(readFileSync(join(out, 'report.tap'), 'utf8'))
    t.strictSame(tap, [true, true])
    t.match(readFileSync(join(out, 'summary.md'), 'utf8'), '2 of 2 labs passed')
    t.equal(await containers(), 0)
    t.equal((await docker.listNetworks()).filter(({ Name }) => !['host', 'none'].includes(Name)).length, 0)
  })

  await t.test('the image has every tool that labs use', async (t) => {
    const [image] = await docker.listImages({ filters: { reference: ['vethlab-ci'] } })
    const stdout = new PassThrough().setEncoding('utf8')
    const said = stdout.toArray()
    const stderr = new PassThrough().resume()
    const [, container] = (await docker.run(image?.Id ?? '', ['doctor', '--json'], [stdout, stderr], {
      HostConfig: rights,
    })) as [unknown, Container]
    await container.remove()
    stdout.end()
    const { findings } = JSON.parse((await said).join('')) as {
      findings: { group: string; name: string; status: string }[]
    }
    const tools = findings.filter(({ group }) => group === 'tools')
    t.ok(tools.length > 15)
    t.strictSame(
      tools.filter(({ status }) => status !== 'ok'),
      [],
    )
  })

  await t.test('a lab that takes too long is ended', async (t) => {
    const folder = t.testdir({ endless: { 'lab.yaml': lasting(500) } })
    const out = join(folder, 'out')
    const { code } = await ci([join(folder, 'endless'), '--timeout', '6', '--out', out]).ended
    t.equal(code, 1)
    t.match(readReport(out), [{ lab: 'endless', ok: false, error: 'it took longer than 6 seconds' }])
    t.equal(await containers(), 0)
  })

  await t.test('a lab that fails is reported and leaves its captures', async (t) => {
    const folder = t.testdir({ failing: { 'lab.yaml': failing } })
    const out = join(folder, 'out')
    // pod-network has pods with files of their own: mounts that Docker's seccomp profile has to allow
    const labs = ['pod-network', join(folder, 'failing')]
    const { code, stdout, stderr } = await ci([...labs, '--jobs', '2', '--out', out]).ended
    t.equal(code, 1, `${stdout}${stderr}`)
    t.notMatch(stderr, 'building', 'the image is there')
    const ends = new Map(readReport(out).map((lab) => [lab.lab, lab]))
    t.equal(ends.get('pod-network')?.ok, true)
    t.equal(ends.get('failing')?.ok, false)
    t.ok(
      existsSync(join(out, 'failing')) && readdirSync(join(out, 'failing')).some((file) => /pcap/.test(file)),
    )
    t.match(stdout, '1 of 2 labs passed')
    t.equal(await containers(), 0)
  })

  await t.test('what a killed runner left, the next one removes', async (t) => {
    const folder = t.testdir({ slow: { 'lab.yaml': lasting(500) } })
    const begun = events.started(1)
    const run = ci([join(folder, 'slow')])
    await begun
    run.kill('SIGKILL')
    await run.ended
    t.equal(await containers(), 1)
    const { code, stdout, stderr } = await ci(['nodeport']).ended
    t.equal(code, 0, `${stdout}${stderr}`)
    t.match(stderr, 'removed 1 container of an interrupted run')
    t.equal(await containers(), 0)
  })

  await t.test('Ctrl-C does not wait for the lab, and removes the container', async (t) => {
    const folder = t.testdir({ slow: { 'lab.yaml': lasting(500) } })
    const begun = events.started(1)
    const run = ci([join(folder, 'slow'), '--out', join(folder, 'out')])
    await begun
    run.kill('SIGINT')
    const { code, stdout, stderr } = await run.ended
    t.equal(code, 130, `${stdout}${stderr}`)
    t.equal(await containers(), 0)
    t.strictSame(
      readReport(join(folder, 'out')).map(({ lab, ok }) => [lab, ok]),
      [['slow', false]],
      'what did not run to its end did not pass',
    )
  })

  for (const [how, go, seconds] of [
    ['dies', 'die', '120'],
    // silence is noticed once the lab should have ended
    ['falls silent', 'fallSilent', '30'],
  ] as const) {
    await t.test(`a host that ${how} has its share run elsewhere`, async (t) => {
      const folder = t.testdir({
        one: { 'lab.yaml': lasting(5) },
        two: { 'lab.yaml': lasting(5) },
      })
      const out = join(folder, 'out')
      const path = `${socket}-${go}`
      const proxy = await socketProxy(path, socket)
      const hosts = ['--host', address, '--host', `unix://${path}`]
      const labs = [join(folder, 'one'), join(folder, 'two')]
      const run = ci([...labs, ...hosts, '--jobs', '1', '--timeout', seconds, '--out', out])
      await proxy.says('"lab-start"')
      proxy[go]()
      const { code, stdout, stderr } = await run.ended
      proxy.die()
      t.equal(code, 0, `${stdout}${stderr}`)
      t.match(stderr, new RegExp(`unix://${path} \\(.*\\): (one|two) will run elsewhere`))
      t.match(stdout, '2 of 2 labs passed')
      t.strictSame(
        readReport(out).map(({ lab, ok, steps }) => [lab, ok, steps.length]),
        [
          ['one', true, 1],
          ['two', true, 1],
        ],
      )
    })
  }

  await t.test('without a host left, nothing is reported passed', async (t) => {
    const folder = t.testdir({ slow: { 'lab.yaml': lasting(500) } })
    const out = join(folder, 'out')
    const path = `${socket}-last`
    const proxy = await socketProxy(path, socket)
    const labs = [join(folder, 'slow'), 'nodeport', 'clusterip']
    const run = ci([...labs, '--host', `unix://${path}`, '--jobs', '1', '--out', out])
    await proxy.says('"lab-start"')
    proxy.die()
    const { code, stdout, stderr } = await run.ended
    t.equal(code, 1, `${stdout}${stderr}`)
    const ends = readReport(out)
    t.equal(ends.length, 3)
    t.ok(ends.every(({ ok, error }) => !ok && error === 'it did not run: no Docker host was left'))
    t.match(stdout, '0 of 3 labs passed')
  })

  t.strictSame(machineState(), before, 'nothing of the engine shows on the machine')
})

/** Starts and ends of containers, from the engine's events. */
async function follow({ docker }: TestEngine) {
  const stream = await docker.getEvents({
    filters: { type: ['container'], label: [runnerLabel], event: ['start', 'die'] },
  })
  t.teardown(() => (stream as NodeJS.ReadableStream & { destroy(): void }).destroy())
  const seen: string[] = []
  let wake: () => void = () => undefined
  createInterface({ input: stream }).on('line', (line) => {
    seen.push((JSON.parse(line) as { Action: string }).Action)
    wake()
  })
  return {
    actions: () => seen,
    /** Resolves when so many more containers have started. */
    started: async (count: number) => {
      const from = seen.length
      while (seen.slice(from).filter((action) => action === 'start').length < count)
        await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}

function readReport(folder: string): ReportedLab[] {
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as
    ReportedLab | { readonly labs: readonly ReportedLab[] }
  const labs = 'labs' in report ? report.labs : [report]
  return [...labs].sort((a, b) => a.lab.localeCompare(b.lab))
}

function suitesOf(file: string): number {
  let suites = 0
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    if (name === 'testsuite') suites += 1
  })
  parser.write(readFileSync(file, 'utf8')).close()
  return suites
}
