import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { CannotRunError, exitCode, InputError, OwnFamiliesError, OwnModeError } from '../../errors.js'
import { captureFile } from '../../host/capture/captureFile.js'
import { prepareLab, type PreparedLab } from '../../lab/plan/prepareLab.js'
import { runPrepared, type RunPreparedOptions } from '../../lab/steps/runPrepared.js'
import { modeNames, type ModeName } from '../../agents/kubeProxy/config.js'
import { createComparisonReporter, type ComparedCell } from '../../reporters/comparisonReporter.js'
import type { LabEvent, LabResult } from '../../results/events.js'
import { endOnSignals } from '../endOnSignals.js'
import { createHtmlRun } from './htmlRun.js'
import { openReport } from './openReport.js'
import { pool } from '../../ci/pool.js'
import { selectedLabs } from './prepareLabs.js'
import { reportingInvalid, type OnInvalid } from './reportInvalid.js'
import { requireCaptureFolder, type RunFlags } from './runLabs.js'

interface ReadyCell extends ComparedCell {
  readonly prepared: PreparedLab
}

interface SkippedCell extends ComparedCell {
  readonly reason: string
}

/**
 * Runs each lab once in each mode, a few sandboxes at a time, and shows the results side by side; returns the exit code.
 * A mode that was not requested and that this host cannot run is reported as not run. Throws if nothing could run at all.
 */
export async function compareLabs(names: readonly string[], flags: RunFlags): Promise<number> {
  const modes = flags.mode ?? modeNames
  const folders = selectedLabs('run', names, flags.all, flags.share)
  if (new Set(folders.map((folder) => basename(folder))).size < folders.length)
    throw new InputError([
      { message: '--compare identifies labs by their names: each can be named only once' },
    ])
  // an invalid lab is reported as without --compare, because it has no modes to compare
  const cells = await reportingInvalid(
    () => openReport(flags),
    (onInvalid) => folders.flatMap((folder) => cellsOf(folder, modes, flags, onInvalid)),
  )
  const ready = cells.filter((cell): cell is ReadyCell => 'prepared' in cell)
  if (ready.length > 1) requireCaptureFolder(flags)
  const html = flags.reporter === 'html' ? createHtmlRun() : undefined
  const { report, finish } = openReport(flags, {
    create: (name, options) => createComparisonReporter(name, cells, options),
    ...(html === undefined ? {} : { html }),
  })
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  const results: LabResult[] = []
  const cannot: CannotRunError[] = []
  try {
    for (const cell of cells) if ('reason' in cell) report.on(skipped(cell, cell.reason))
    await pool(ready, flags.jobs ?? availableParallelism(), async (cell) => {
      const events: LabEvent[] = []
      try {
        results.push(
          await runCell(cell, flags, {
            ...html?.collect(cell.name),
            signal: controller.signal,
            onEvent: (event) => events.push(event),
          }),
        )
        for (const event of events) report.on(named(event, cell))
      } catch (error) {
        if (!(error instanceof CannotRunError) || flags.mode !== undefined) throw error
        cannot.push(error)
        report.on(skipped(cell, firstLine(error.message)))
      }
    })
    if (results.length === 0)
      throw cannot[0] ?? new InputError([{ message: 'no lab can run in these modes' }])
  } catch (error) {
    if (interrupted.code === undefined) throw error
    return interrupted.code
  } finally {
    interrupted.forget()
    if (results.length > 0) await finish()
  }
  return results.every(({ ok }) => ok) ? exitCode.ok : exitCode.checkFailed
}

/** A lab in each mode: prepared, or with the reason why it does not run in this mode. */
function cellsOf(
  folder: string,
  modes: readonly ModeName[],
  flags: RunFlags,
  onInvalid: OnInvalid,
): (ReadyCell | SkippedCell)[] {
  let rejected: InputError | undefined
  const cells = modes.map((mode): ReadyCell | SkippedCell => {
    const lab = basename(folder)
    const cell = { name: `${lab} ${mode}`, lab, argument: flags.all === true ? lab : folder, mode }
    try {
      const { families, ignore } = flags
      return { ...cell, prepared: prepareLab(folder, { families, mode, ignoreKinds: new Set(ignore) }) }
    } catch (error) {
      const reason = whyNot(error)
      if (reason === undefined) {
        if (error instanceof InputError) onInvalid(lab, error)
        throw error
      }
      rejected = error as InputError
      return { ...cell, reason }
    }
  })
  // a lab that is named must run in some mode
  if (rejected !== undefined && flags.all !== true && cells.every((cell) => 'reason' in cell)) throw rejected
  return cells
}

function whyNot(error: unknown): string | undefined {
  if (error instanceof OwnModeError) return error.reason
  return error instanceof OwnFamiliesError ? (error.problems[0]?.message ?? error.message) : undefined
}

async function runCell(
  { prepared, name }: ReadyCell,
  { iptables, pcap, pcapAll }: RunFlags,
  options: RunPreparedOptions,
): Promise<LabResult> {
  const file = pcap === undefined ? undefined : captureFile(pcap, name.replace(' ', '-'))
  return runPrepared(prepared, { ...options, iptables, pcap: file, pcapAll })
}

function named(event: LabEvent, { name }: ComparedCell): LabEvent {
  if (event.type !== 'lab-end') return { ...event, lab: name }
  return { ...event, lab: name, result: { ...event.result, lab: name } }
}

function skipped({ name }: ComparedCell, reason: string): LabEvent {
  return { type: 'lab-skipped', lab: name, reason }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
