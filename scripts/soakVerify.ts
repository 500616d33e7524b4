// `npm run soak -- verify [lab…] [--jobs N] [--mode MODE] [--iptables nft|legacy] [--families F] [--kube-proxy FILE]`, called by
// soak.ts: predicts each request of the labs, by default of all labs, and compares it with the kernel's trace (verifiedLab.ts).
import { Command } from 'commander'
import { pool } from '../src/ci/pool.js'
import { prepareLabs, type LabFlags } from '../src/commands/labs/prepareLabs.js'
import {
  backendOption,
  familiesOption,
  kubeProxyOption,
  labModeOption,
  positiveNumber,
} from '../src/commands/options.js'
import { CommandError, ModeNotHereError } from '../src/errors.js'
import type { PreparedLab } from '../src/lab/plan/prepareLab.js'
import { withRunningLab } from '../src/lab/up/withRunningLab.js'
import type { IptablesBackend } from '../src/netfilter/types.js'
import { createColours } from '../src/text/colour.js'
import { differenceLines } from '../src/trace/text/observedText.js'
import { verifyLab } from './verifiedLab.js'

interface VerifyFlags extends Pick<LabFlags, 'families' | 'mode' | 'kubeProxy'> {
  readonly jobs: number
  readonly iptables?: IptablesBackend
}

/** Returns the exit code: 0 if the kernel has treated each predicted request as predicted. */
export async function soakVerify(args: readonly string[]): Promise<number> {
  const command = new Command('soak -- verify')
    .argument('[labs...]')
    .option('--jobs <n>', 'labs that run at once', positiveNumber, 1)
    .addOption(backendOption())
    .addOption(familiesOption())
    .addOption(kubeProxyOption())
    .addOption(labModeOption())
    .parse(args, { from: 'user' })
  const flags = command.opts<VerifyFlags>()
  const all = command.args.length === 0
  const { labs, skipped } = prepareLabs('soak', command.args, {
    ...flags,
    ...(all && { all }),
    ignore: [],
  })
  const print = (text: string) => process.stdout.write(`${text}\n`)
  for (const { lab, reason } of skipped) print(`${lab}: skipped: ${reason}`)
  const total = noPaths()
  let failed = false
  await pool(labs, flags.jobs, async (prepared) => {
    const { name } = prepared.lab
    try {
      const { lines, counts } = await verifyOne(prepared, flags)
      for (const key of Object.keys(total) as (keyof PathCounts)[]) total[key] += counts[key]
      print([...lines, `${name}: ${summary(counts)}`].join('\n'))
    } catch (error) {
      if (error instanceof ModeNotHereError && all) print(`${name}: skipped: ${error.reason}`)
      else if (error instanceof CommandError) {
        failed = true
        print(`${name}: ${error.message}`)
      } else throw error
    }
  })
  if (labs.length > 1) print(`\nfigure: ${labs.length} labs: ${summary(total)}`)
  return !failed && total.observed === total.predicted ? 0 : 1
}

/** How many requests were predicted, and how many the kernel has treated as predicted. */
interface PathCounts {
  /** Requests whose path is predicted, those in part included. */
  predicted: number
  observed: number
  /** Predicted up to a host where what follows is not known. */
  inPart: number
  unpredicted: number
}

const noPaths = (): PathCounts => ({ predicted: 0, observed: 0, inPart: 0, unpredicted: 0 })

async function verifyOne(prepared: PreparedLab, { iptables }: VerifyFlags) {
  const counts = noPaths()
  const lines: string[] = []
  const style = { colours: createColours(false), language: 'en', width: 120 } as const
  await withRunningLab(prepared, { capture: false, iptables }, (running) =>
    verifyLab(running, ({ step, attempt, observed, unpredicted }) => {
      if (observed === undefined) counts.unpredicted++
      else {
        const { differences } = observed.comparison
        counts.predicted++
        if (differences.length === 0) counts.observed++
        else lines.push(`  ${step} (request ${attempt})`, ...differenceLines(differences, style))
        if (unpredicted !== undefined) counts.inPart++
      }
      if (unpredicted !== undefined && attempt === 1) lines.push(`  ${step}: not predicted: ${unpredicted}`)
    }),
  )
  return { lines, counts }
}

/** `16 paths predicted, 16 as observed` */
function summary({ predicted, observed, inPart, unpredicted }: PathCounts): string {
  const part = inPart === 0 ? '' : `; ${inPart} in part`
  const not = unpredicted === 0 ? '' : `; ${unpredicted} not predicted`
  return `${predicted} paths predicted, ${observed} as observed${part}${not}`
}
