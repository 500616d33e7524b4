import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Test } from 'tap'
import { until } from '../until.js'
import { cannotRun } from './ability.js'
import type { FaultClass, HostCommand } from './faultClasses.js'
import { vethlab } from './servedCommands.js'

interface Answer {
  readonly outcome: string
  readonly findings: readonly {
    readonly code: string
    readonly changes: readonly {
      readonly kind: string
      readonly command?: string
      readonly to?: string
      readonly host?: string
    }[]
  }[]
}

/** Kinds of failures in one lab. */
export interface FaultLab {
  readonly title: string
  /** The folder of the lab. */
  readonly folder: string
  /** More files for it, by path. */
  readonly files?: Readonly<Record<string, string>>
  readonly faults: readonly FaultClass[]
}

/** Makes each fault in one running lab, asks `why` about the lab and its snapshot, applies the printed fix, and sends the request. */
export function checkFaults(t: Test, { title, folder: source, files = {}, faults }: FaultLab): void {
  t.test(title, { skip: cannotRun }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
    const path = join(folder, `faults-${folder.slice(-6).toLowerCase()}`)
    cpSync(source, path, { recursive: true })
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
    const name = basename(path)
    t.teardown(async () => {
      await vethlab(['down', name])
      rmSync(folder, { recursive: true, force: true })
    })
    const up = await vethlab(['up', path])
    t.equal(up.code, 0, up.stderr)
    const addresses = await addressesIn(name)
    for (const fault of faults) {
      const { name: what, make = [], undo = [] } = fault
      await t.test(what, async (t) => {
        await runAll(t, name, addresses, make)
        await checkFault(t, name, join(folder, 'snapshot.json'), withAddresses(fault, addresses))
        await runAll(t, name, addresses, undo)
      })
    }
  })
}

async function checkFault(t: Test, lab: string, file: string, fault: FaultClass): Promise<void> {
  const { from, to, options = [], code, cause, host } = fault
  const asked = [from, to, ...options, ...(host === undefined ? [] : ['--host', host])]
  t.equal(await passes(lab, fault), false, 'the request fails')
  const live = await vethlab(['why', lab, ...asked, '--json'])
  const taken = await vethlab(['snapshot', lab, '-o', file])
  t.equal(taken.code, 0, taken.stderr)
  const saved = await vethlab(['why', file, ...asked, '--json'])
  t.equal(saved.stdout, live.stdout, 'the snapshot answers as the lab does')
  if (live.stdout === '') throw new Error(live.stderr)
  const { findings } = JSON.parse(live.stdout) as Answer
  const [finding] = findings
  t.equal(finding?.code, code, live.stdout)
  const text = (await vethlab(['why', lab, ...asked], { env: { COLUMNS: '1000' } })).stdout
  t.match(text.split('\n')[0], cause, 'the first sentence names the cause')
  const [change] = finding?.changes ?? []
  if (change === undefined) {
    t.fail('a fix', { text })
    return
  }
  if (change.kind === 'request') {
    t.equal(
      await passes(lab, { ...fault, to: change.to ?? to, host: change.host ?? host }),
      true,
      change.to ?? '',
    )
    return
  }
  const { command = '' } = change
  for (const [program, ...args] of commandsOf(command)) {
    t.equal(program, 'vethlab', text)
    const applied = await vethlab(args)
    t.equal(applied.code, 0, `${command}: ${applied.stderr}`)
  }
  t.ok(await until(() => passes(lab, fault)), `the request passes after: ${command}`)
}

/** Whether the request, or the command that stands for it, is answered. */
async function passes(lab: string, { from, to, host, probe }: FaultClass): Promise<boolean> {
  const argv = probe ?? curl(to, host)
  const { code, stdout } = await vethlab(['exec', lab, from, '--', ...argv])
  return code === 0 && stdout !== ''
}

function curl(to: string, host: string | undefined): string[] {
  const head = host === undefined ? [] : ['-H', `Host: ${host}`]
  return ['curl', '-sS', '-f', '-m', '1', ...head, to] // short on purpose: a dropped packet gets no answer
}

async function runAll(
  t: Test,
  lab: string,
  addresses: ReadonlyMap<string, string>,
  commands: readonly HostCommand[],
): Promise<void> {
  for (const { on, run } of commands) {
    const script = named(run, addresses)
    const { code, stderr } = await vethlab(['exec', lab, on, '--', 'sh', '-c', script])
    t.equal(code, 0, `${on}: ${script}: ${stderr}`)
  }
}

/** The addresses of pods and Services, by `pod/far` and `service/far`. */
async function addressesIn(lab: string): Promise<ReadonlyMap<string, string>> {
  interface Listed {
    readonly kind: string
    readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
    readonly spec: { readonly clusterIP?: string }
    readonly status?: {
      readonly podIP?: string
      readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] }
    }
  }
  const { stdout } = await vethlab(['kubectl', '--built-in', lab, 'get', 'pods,services', '-o', 'json'])
  const { items } = JSON.parse(stdout) as { items: readonly Listed[] }
  return new Map(
    items.flatMap(({ kind, metadata: { name, labels }, spec, status }) => {
      const address = kind === 'Pod' ? status?.podIP : spec.clusterIP
      const outside = status?.loadBalancer?.ingress?.[0]?.ip
      return [
        ...(address === undefined ? [] : [[`${kind.toLowerCase()}/${name}`, address] as const]),
        // a pod of a workload has a generated name
        ...(address === undefined || labels?.['app'] === undefined
          ? []
          : [[`app/${labels['app']}`, address] as const]),
        ...(outside === undefined ? [] : [[`outside/${name}`, outside] as const]),
      ]
    }),
  )
}

function withAddresses(fault: FaultClass, addresses: ReadonlyMap<string, string>): FaultClass {
  const { to, probe } = fault
  return {
    ...fault,
    to: named(to, addresses),
    ...(probe === undefined ? {} : { probe: probe.map((word) => named(word, addresses)) }),
  }
}

function named(text: string, addresses: ReadonlyMap<string, string>): string {
  return text.replace(/\b(?:pod|app|service|outside)\/[a-z-]+/g, (name) => {
    const address = addresses.get(name)
    if (address === undefined) throw new Error(`nothing is named ${name}`)
    return address
  })
}

/** The words of printed commands that are joined by `&&`. */
function commandsOf(printed: string): string[][] {
  const commands: string[][] = [[]]
  for (const [word, quoted] of printed.matchAll(/'([^']*)'|\S+/g))
    if (word === '&&') commands.push([])
    else commands.at(-1)?.push(quoted ?? word)
  return commands
}
