import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { IpFamily } from '../cluster/types.js'
import { exitCode, InputError, WriteError } from '../errors.js'
import type { IptablesBackend } from '../host/backend.js'
import type { Sandbox } from '../host/sandbox.js'
import type { PreparedLab } from '../lab/prepareLab.js'
import { runPrepared, type RunOptions } from '../lab/runLab.js'
import type { BuiltInMode } from '../proxy/config.js'
import type { LabResult, Reporter } from '../reporters/events.js'
import { createReporter } from '../reporters/index.js'
import type { ReporterName } from '../reporters/names.js'
import { endOnSignals } from './endOnSignals.js'
import { runHeld } from './holder.js'
import { prepareLabs } from './prepareLabs.js'
import { pool } from './pool.js'
import { terminal } from './terminal.js'

/** The options of `vethlab run`. */
export interface RunFlags {
  readonly all?: true
  readonly jobs: number
  readonly reporter?: ReporterName
  readonly verbose?: true
  readonly output?: string
  readonly keep?: true
  readonly pcap?: string
  readonly iptables?: IptablesBackend
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
  readonly step?: true
  readonly kubeProxy?: string
  readonly mode?: BuiltInMode
}

/** Runs labs and tells their results; returns the exit code. `early` is a sandbox for the first of them, on its way. */
export async function runLabs(
  names: readonly string[],
  flags: RunFlags,
  early?: Promise<Sandbox>,
): Promise<number> {
  const { labs, skipped } = prepareLabs('run', names, flags)
  if (flags.keep === true && new Set(labs.map(({ lab }) => lab.name)).size < labs.length) {
    throw new InputError([{ message: '--keep leaves a lab up under its name: each lab can be named once' }])
  }
  const { report, finish } = await openReport(flags)
  for (const { lab, reason } of skipped) report.on({ type: 'lab-skipped', lab, reason })
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  const results: LabResult[] = []
  const beforeStep = flags.step === true ? enterKey() : undefined
  try {
    await pool(labs, flags.step === true ? 1 : flags.jobs, async (prepared) => {
      const options = {
        signal: controller.signal,
        sandbox: prepared === labs[0] ? early : undefined,
        beforeStep,
        // captures of one lab have the names of another's
        pcap:
          flags.pcap === undefined || labs.length === 1 ? flags.pcap : join(flags.pcap, prepared.lab.name),
      }
      results.push(await runOne(prepared, flags, report, options))
    })
  } catch (error) {
    if (interrupted.code === undefined) throw error
    return interrupted.code
  } finally {
    interrupted.forget()
    if (beforeStep !== undefined) process.stdin.destroy()
    await finish()
  }
  return results.every(({ ok }) => ok) ? exitCode.ok : exitCode.checkFailed
}

async function runOne(
  prepared: PreparedLab,
  flags: RunFlags,
  report: Reporter,
  given: Pick<RunOptions, 'signal' | 'sandbox' | 'beforeStep' | 'pcap'>,
): Promise<LabResult> {
  const options: RunOptions = {
    ...given,
    iptables: flags.iptables,
    kubeProxyBinary: flags.kubeProxy,
    onEvent: (event) => {
      report.on(event)
    },
  }
  if (flags.keep !== true) return runPrepared(prepared, options)
  return runHeld(prepared, {
    ...options,
    mode: flags.mode,
    families: flags.families,
    ignoreKinds: new Set(flags.ignore),
  })
}

/** Waits for one line of standard input each time; goes on by itself once there are no more. */
function enterKey(): (step: string) => Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  return async (step) => {
    process.stderr.write(`Enter for: ${step} `)
    await lines.next()
  }
}

interface OpenReport {
  readonly report: Reporter
  readonly finish: () => Promise<void>
}

/** The reporter asked for; with `--output` the report goes to the file and a person still sees one on the screen. */
async function openReport({ all, verbose, output, ...flags }: RunFlags): Promise<OpenReport> {
  const screen = {
    write: (text: string) => void process.stdout.write(text),
    ...terminal(),
  }
  const onScreen = all === true && verbose !== true ? 'brief' : 'pretty'
  const reporter = flags.reporter ?? onScreen
  if (output === undefined) {
    const report = createReporter(reporter, screen)
    return { report, finish: () => Promise.resolve(report.end()) }
  }
  const file = createWriteStream(output)
  await once(file, 'open').catch((error: unknown) => refuseOutput(output, error))
  const written = once(file, 'finish')
  written.catch(() => undefined)
  const reporters = [
    createReporter(reporter, { write: (text) => void file.write(text), colour: false, width: 100 }),
    ...(reporter === onScreen ? [] : [createReporter(onScreen, screen)]),
  ]
  return {
    report: {
      on: (event) => {
        reporters.forEach((one) => one.on(event))
      },
      end: () => undefined,
    },
    async finish() {
      reporters.forEach((one) => one.end())
      file.end()
      await written.catch((error: unknown) => refuseOutput(output, error))
    },
  }
}

function refuseOutput(output: string, error: unknown): never {
  throw new WriteError(`the report to ${output}`, error)
}
