import { createInterface } from 'node:readline/promises'
import type { IpFamily } from '../../net/ipFamily.js'
import { exitCode, InputError, isKnownError, ModeNotHereError, OtherVersionError } from '../../errors.js'
import type { IptablesBackend } from '../../netfilter/types.js'
import { isCaptureFile } from '../../host/capture/captureFile.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { PreparedLab } from '../../lab/plan/prepareLab.js'
import { runPrepared, type RunPreparedOptions } from '../../lab/steps/runPrepared.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'
import type { LabResult, Reporter } from '../../results/events.js'
import type { ReporterName } from '../../reporters/names.js'
import { runHeld } from '../../up/holder.js'
import type { Language } from '../../text/language.js'
import { prepareLabs, type Share } from './prepareLabs.js'
import { createHtmlRun } from './htmlRun.js'
import { longestFirst } from './longestFirst.js'
import { openReport } from './openReport.js'
import { labError, reportingInvalid } from './reportInvalid.js'
import { pool } from '../../ci/pool.js'
import { printError } from '../output.js'

/** The options of `vethlab run`. */
export interface RunFlags {
  readonly all?: true
  readonly share?: Share
  readonly jobs?: number
  readonly reporter?: ReporterName
  readonly verbose?: true
  readonly output?: string
  readonly lang?: Language
  readonly keep?: true
  readonly pcap?: string
  readonly pcapAll?: true
  readonly iptables?: IptablesBackend
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
  readonly commands?: 'echo' | 'strict'
  readonly step?: true
  readonly kubeProxy?: string
  /** One, or with `compare` those that are compared. */
  readonly mode?: readonly ModeName[]
  readonly compare?: true
}

/**
 * Runs labs and reports their results; returns the exit code. `early` is a sandbox that is being created, if there is only
 * one lab. Rejects when the signal aborts.
 */
export async function runLabs(
  names: readonly string[],
  flags: RunFlags,
  { signal, early }: { readonly signal: AbortSignal; readonly early?: Promise<Sandbox> | undefined },
): Promise<number> {
  const mode = onlyMode(flags)
  const { labs, skipped } = await reportingInvalid(
    () => openReport(flags),
    (onInvalid) => prepareLabs('run', names, { ...flags, mode }, onInvalid),
  )
  if (flags.keep === true && new Set(labs.map(({ lab }) => lab.name)).size < labs.length) {
    throw new InputError([
      { message: '--keep identifies a running lab by its name: each lab can be named only once' },
    ])
  }
  if (labs.length > 1) requireCaptureFolder(flags)
  const html = createHtmlRun()
  const { report, finish } = openReport(flags, { html })
  for (const { lab, reason } of skipped) report.on({ type: 'lab-skipped', lab, reason })
  const results: LabResult[] = []
  const beforeStep = flags.step === true ? enterKey() : undefined
  try {
    const jobs = flags.step === true ? 1 : (flags.jobs ?? 1)
    await pool(jobs === 1 ? labs : longestFirst(labs), jobs, async (prepared) => {
      const options = {
        signal,
        beforeStep,
        pcap: flags.pcap,
        pcapAll: flags.pcapAll,
        ...(flags.reporter === 'html' ? html.collect(prepared.lab.name) : {}),
      }
      try {
        results.push(await runOne(prepared, flags, report, options, early))
      } catch (error) {
        // with --all, a lab is skipped if this host or the binary cannot run it; it is an error if the lab is named
        const reason = flags.all === true ? notHere(error, mode) : undefined
        if (reason === undefined) {
          if (isKnownError(error)) report.on(labError(prepared.lab.name, error, prepared.lab.file))
          throw error
        }
        report.on({ type: 'lab-skipped', lab: prepared.lab.name, reason })
      }
    })
  } finally {
    if (beforeStep !== undefined) process.stdin.destroy()
    await finish()
  }
  return results.every(({ ok }) => ok) ? exitCode.ok : exitCode.checkFailed
}

/** Why a lab is skipped; undefined for other errors, and for a requested mode. */
function notHere(error: unknown, mode: ModeName | undefined): string | undefined {
  if (error instanceof OtherVersionError) return error.reason
  return error instanceof ModeNotHereError && mode === undefined ? error.reason : undefined
}

async function runOne(
  prepared: PreparedLab,
  flags: RunFlags,
  report: Reporter,
  given: Pick<RunPreparedOptions, 'signal' | 'beforeStep' | 'pcap' | 'pcapAll' | 'afterStep' | 'onPackets'>,
  early: Promise<Sandbox> | undefined,
): Promise<LabResult> {
  const options: RunPreparedOptions = {
    ...given,
    iptables: flags.iptables,
    kubeProxyBinary: flags.kubeProxy,
    onEvent: (event) => {
      report.on(event)
    },
  }
  if (flags.keep !== true) return runPrepared(prepared, options, early)
  return runHeld(prepared, {
    ...options,
    mode: onlyMode(flags),
    families: flags.families,
    commands: flags.commands,
    ignoreKinds: new Set(flags.ignore),
  })
}

function onlyMode({ mode: modes = [] }: RunFlags): ModeName | undefined {
  const [mode, ...others] = modes
  if (others.length === 0) return mode
  const message = `--mode has several modes: ${modes.join(', ')}`
  throw new InputError([{ message, hint: 'a lab runs in one mode; `--compare` runs it in each of them' }])
}

/** Throws InputError if `--pcap` is one file. */
export function requireCaptureFolder({ pcap }: Pick<RunFlags, 'pcap'>): void {
  if (pcap === undefined || !isCaptureFile(pcap)) return
  throw new InputError([
    { message: `--pcap ${pcap} is one file; name a folder for the captures of several labs` },
  ])
}

/** Waits for one line of standard input before each step; does not wait after the end of input. */
function enterKey(): (step: string) => Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  return async (step) => {
    printError(`Enter for: ${step} `)
    await lines.next()
  }
}
