import { CommandError, exitCode, isKnownError, ModeNotHereError } from '../../errors.js'
import { verifyLab, type VerifiedRequest } from '../../inspect/verifiedLab.js'
import type { PreparedLab } from '../../lab/plan/prepareLab.js'
import { withRunningLab } from '../../lab/up/withRunningLab.js'
import { jsonText } from '../../reporters/jsonText.js'
import { createColours } from '../../text/colour.js'
import {
  addCounts,
  countsOf,
  noPaths,
  verifiedSummary,
  type PathCounts,
} from '../../trace/text/verifiedCounts.js'
import { differenceLines } from '../../trace/text/observedText.js'
import { endOnSignals } from '../endOnSignals.js'
import { print, printColoured, printError } from '../output.js'
import { terminal } from '../terminal.js'
import { prepareLabs } from './prepareLabs.js'
import type { RunFlags } from './runLabs.js'

/** The version of the document: it changes if a field changes its meaning or is removed. */
const version = 1

interface VerifiedLab extends PathCounts {
  readonly lab: string
  readonly requests: readonly ReturnType<typeof requestDocument>[]
}

/**
 * Predicts each request of the labs, and compares it with the kernel's trace; returns the exit code: 1 for any difference.
 * Throws what preparing and starting labs throws.
 */
export async function verifyLabs(names: readonly string[], flags: RunFlags): Promise<number> {
  const [mode] = flags.mode ?? []
  const { labs, skipped } = prepareLabs('run', names, { ...flags, mode })
  const json = flags.reporter === 'json'
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  const results: VerifiedLab[] = []
  const failed: string[] = []
  try {
    for (const { lab, reason } of skipped) if (!json) print(`${lab}: skipped: ${reason}\n`)
    for (const prepared of labs) {
      try {
        const result = await verifyOne(prepared, flags, controller.signal, json)
        results.push(result)
        if (!json) print(`${result.lab}: ${verifiedSummary(result)}\n`)
      } catch (error) {
        // an interrupted lab has not failed
        if (interrupted.code !== undefined) return interrupted.code
        if (error instanceof CommandError) {
          failed.push(prepared.lab.name)
          printError(`${prepared.lab.name}: ${error.message}\n`)
          continue
        }
        if (!(error instanceof ModeNotHereError) || flags.all !== true || mode !== undefined) throw error
        if (!json) print(`${prepared.lab.name}: skipped: ${error.reason}\n`)
      }
    }
  } catch (error) {
    if (interrupted.code === undefined || !isKnownError(error)) throw error
    return interrupted.code
  } finally {
    interrupted.forget()
  }
  const total = results.reduce(addCounts, noPaths)
  if (json) print(jsonText({ version, ...total, failed, labs: results }))
  else if (results.length > 1) print(`\n${results.length} labs: ${verifiedSummary(total)}\n`)
  return failed.length === 0 && total.observed === total.predicted ? exitCode.ok : exitCode.checkFailed
}

async function verifyOne(
  prepared: PreparedLab,
  { iptables }: RunFlags,
  signal: AbortSignal,
  json: boolean,
): Promise<VerifiedLab> {
  const requests: ReturnType<typeof requestDocument>[] = []
  let counts = noPaths
  await withRunningLab(prepared, { capture: false, iptables, signal }, (running) =>
    verifyLab(running, (request) => {
      counts = addCounts(counts, countsOf(request.observed?.comparison, request.unpredicted))
      requests.push(requestDocument(request))
      if (!json) printRequest(request)
    }),
  )
  return { lab: prepared.lab.name, ...counts, requests }
}

function printRequest({ step, attempt, observed, unpredicted }: VerifiedRequest): void {
  const { colour, width } = terminal()
  const colours = createColours(colour)
  const { differences = [] } = observed?.comparison ?? {}
  if (differences.length > 0) {
    const lines = [`${step} (request ${attempt})`, ...differenceLines(differences, { colours, width })]
    printColoured(lines.map((line) => `  ${line}\n`).join(''))
  } else if (unpredicted !== undefined && attempt === 1)
    print(`  ${step}: ${observed === undefined ? 'not predicted' : 'predicted in part'}: ${unpredicted}\n`)
}

function requestDocument({ step, attempt, observed, unpredicted }: VerifiedRequest) {
  if (observed === undefined) return { step, attempt, unpredicted }
  const { packet, comparison, prediction, result } = observed
  const { family, protocol, source, destination } = packet
  return {
    ...{ step, attempt, unpredicted, request: { family, protocol, source, destination } },
    ...{ outcome: result.outcome, paths: prediction.paths.length, path: comparison.path + 1 },
    differences: comparison.differences,
  }
}
