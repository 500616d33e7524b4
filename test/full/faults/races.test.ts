import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { readPcapng } from '../../packets/readPcapng.js'
import { cannotRun } from '../../kernel/ability.js'
import { copyOfLab, type Ended } from '../../kernel/commandLine.js'
import { machineState } from '../../kernel/machineState.js'
import { runs } from '../../suite.js'
import { fault, type FaultTest } from './faultTable.js'
import { nothingLeft } from './kill.js'
import { rounds } from './rounds.js'
import { cannotWatch, type Watched } from './watched.js'

t.setTimeout(1_800_000)
const options = { skip: cannotRun || cannotWatch, timeout: 600_000 }

interface Racing extends Watched {
  /** A copy of the lab nodeport, and its name. */
  readonly path: string
  readonly lab: string
}

function racing(t: Test, ground: Watched): Racing {
  const path = copyOfLab(t, 'nodeport')
  return { ...ground, path, lab: basename(path) }
}

/** Starts commands at the same time; each ends with a code of the row and without a stack trace. */
async function together(
  t: Test,
  row: FaultTest,
  ground: Watched,
  commands: readonly (readonly string[])[],
): Promise<Ended[]> {
  const ends = await Promise.all(commands.map((args) => ground.run(args, { cwd: ground.folder })))
  for (const [index, { code, stdout, stderr }] of ends.entries()) {
    const what = commands[index]?.slice(0, 3).join(' ') ?? ''
    row.ended(code, `${what}: ${stdout}${stderr}`)
    if (/\n? +at .*:\d+:\d+/.test(stderr)) t.fail(`${what}: a stack trace`, { stderr })
  }
  return ends
}

async function upNames(ground: Watched): Promise<string[]> {
  const { stdout } = await ground.run(['ps', '--json'])
  return (JSON.parse(stdout) as { lab: string }[]).map(({ lab }) => lab)
}

/** A race that is run some times, with nothing left at the end of each; only in the full suite if `count` is 0 here. */
function race(
  name: string,
  count: number,
  carryOut: (t: Test, row: FaultTest, ground: Racing, round: number) => Promise<void>,
): void {
  fault('faults/races', name, { ...options, fullOnly: count === 0 }, async (t, row) => {
    const before = machineState()
    await rounds(
      t,
      count,
      (ground) => racing(t, ground),
      async (ground, round) => {
        await carryOut(t, row, ground, round)
        await ground.run(['down', ground.lab])
        await nothingLeft(t, ground, `${name} ${round}`)
      },
    )
    t.comment(`figure: ${count} times ${name}`)
    t.strictSame(machineState(), before)
  })
}

race('up four times at once', runs(12, 0), async (t, row, ground) => {
  const ends = await together(
    t,
    row,
    ground,
    Array.from({ length: 4 }, () => ['up', ground.path]),
  )
  t.equal(ends.filter(({ code }) => code === 0).length, 1, 'one of them makes the lab')
  t.equal((await upNames(ground)).filter((lab) => lab === ground.lab).length, 1, 'one lab has the name')
})

race('down twice at once', runs(12, 0), async (t, row, ground) => {
  await ground.run(['up', ground.path])
  const ends = await together(t, row, ground, [
    ['down', ground.lab],
    ['down', ground.lab],
  ])
  t.ok(ends.some(({ code }) => code === 0))
  t.notOk((await upNames(ground)).includes(ground.lab), 'it is down')
})

race('questions and changes while down', runs(24, 0), async (t, row, ground, round) => {
  await ground.run(['up', ground.path])
  const { lab } = ground
  const other = [
    ['kubectl', '--built-in', lab, 'scale', 'deployment/my-app', '--replicas', '4'],
    ['exec', lab, 'node-a', '--', 'true'],
    ['kubectl', '--built-in', lab, 'get', 'pods'],
    ['rules', lab, 'node-a'],
    ['kubectl', '--built-in', lab, 'label', 'service/my-nodeport-service', 'tier=front'],
    ['restart', lab, 'kube-proxy'],
  ]
  const two = [other[round % other.length] ?? [], other[(round + 1) % other.length] ?? []]
  await together(t, row, ground, [...two, ['down', lab], ...two])
  t.notOk((await upNames(ground)).includes(lab), 'it is down')
})

race('up while down', runs(12, 0), async (t, row, ground) => {
  await ground.run(['up', ground.path])
  const [up] = await together(t, row, ground, [
    ['up', ground.path],
    ['down', ground.lab],
  ])
  const there = (await upNames(ground)).filter((lab) => lab === ground.lab).length
  t.equal(there, up?.code === 0 ? 1 : 0, `up ended with ${up?.code}: ${up?.stderr}`)
})

race('scale four times at once', runs(12, 1), async (t, row, ground) => {
  await ground.run(['up', ground.path])
  const replicas = ['1', '2', '3', '4']
  await together(
    t,
    row,
    ground,
    replicas.map((count) => [
      'kubectl',
      '--built-in',
      ground.lab,
      'scale',
      'deployment/my-app',
      '--replicas',
      count,
    ]),
  )
  const { stdout } = await ground.run([
    'kubectl',
    '--built-in',
    ground.lab,
    'get',
    'deployment',
    'my-app',
    '-o',
    'json',
  ])
  const { spec, status } = JSON.parse(stdout) as {
    spec: { replicas: number }
    status: { readyReplicas: number }
  }
  t.ok(replicas.includes(String(spec.replicas)))
  t.equal(status.readyReplicas, spec.replicas, 'as many pods are ready as the last of them said')
})

race('workshop start twice at once', runs(8, 0), async (t, row, ground) => {
  const name = `after-hardening-${basename(ground.folder).slice(-6).toLowerCase()}`
  cpSync('labs/exercises/after-hardening', join(ground.folder, 'labs/exercises', name), { recursive: true })
  const ends = await together(t, row, ground, [
    ['workshop', 'start', name],
    ['workshop', 'start', name],
  ])
  t.ok(ends.some(({ code }) => code === 0))
  t.equal((await upNames(ground)).filter((lab) => lab === name).length, 1)
  await ground.run(['down', name])
  const files = ground.files()
  t.strictSame(
    files.map((file) => basename(file)),
    ['workshop.json'],
    'the progress is kept',
  )
  files.forEach((file) => rmSync(file))
})

race('run of one lab four times at once', runs(8, 0), async (t, row, ground) => {
  const ends = await together(
    t,
    row,
    ground,
    Array.from({ length: 4 }, () => ['run', ground.path]),
  )
  t.strictSame(
    ends.map(({ code }) => code),
    [0, 0, 0, 0],
  )
})

race('run with the same report and captures', runs(8, 1), async (t, row, ground) => {
  const [report, pcap] = [join(ground.folder, 'report.xml'), join(ground.folder, 'pcap')]
  const args = ['run', ground.path, '--reporter', 'junit', '--output', report, '--pcap', pcap]
  await together(t, row, ground, [args, args, args])
  const text = readFileSync(report, 'utf8')
  t.equal(text.match(/<testsuites/g)?.length, 1, 'one report')
  t.match(text, /^<\?xml[^]*<\/testsuites>\n$/, 'a whole one')
  t.match(readdirSync(pcap), [/\.pcapng$/])
  for (const file of readdirSync(pcap))
    t.ok(readPcapng(readFileSync(join(pcap, file))).packets.length > 0, file)
  t.notMatch(readdirSync(ground.folder).join(' '), '.vethlab-', 'no temporary file')
  t.notMatch(readdirSync(pcap).join(' '), '.vethlab-', 'no temporary file')
  rmSync(report)
  rmSync(pcap, { recursive: true })
})
