import { exitCode, InputError } from '../../errors.js'
import type { IptablesBackend } from '../../netfilter/types.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { mutateLab, type MutateOptions } from '../../lab/mutate/mutateLab.js'
import type { PreparedLab } from '../../lab/plan/prepareLab.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'
import { createColours } from '../../text/colour.js'
import type { LabMutations } from '../../results/mutations.js'
import { mutationsTable, prettyMutations } from '../../reporters/mutations/prettyMutations.js'
import { endOnSignals } from '../endOnSignals.js'
import { prepareLabs } from './prepareLabs.js'
import pLimit from 'p-limit'
import { terminal } from '../terminal.js'
import { openReportFile, print, printColoured } from '../output.js'
import { pageFile } from '../../host/builtFiles.js'
import { version } from '../../version.js'
import { mutationsPage } from '../../view/report/mutationsPage.js'
import { resultDocument } from '../../results/document.js'
import { jsonText } from '../../reporters/jsonText.js'

/** The options of `vethlab mutate`. */
export interface MutateFlags {
  readonly all?: true
  readonly verbose?: true
  readonly rule?: string
  readonly covered?: true
  readonly jobs: number
  readonly json?: true
  readonly html?: string
  readonly iptables?: IptablesBackend
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
  readonly mode?: ModeName
}

/** Runs labs without each of their rules, one rule at a time, and prints the results; returns the exit code. */
export async function mutateLabs(names: readonly string[], flags: MutateFlags): Promise<number> {
  const { labs, skipped } = prepareLabs('mutate', names, flags)
  // a file that cannot be written is an error before the first run
  const page = flags.html === undefined ? undefined : openReportFile(flags.html)
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  const options = {
    ...{
      iptables: flags.iptables,
      rule: flags.rule,
      covered: flags.covered,
      signal: controller.signal,
    },
    withRoom: pLimit(flags.jobs),
  }
  try {
    const results = [...skipped.map(notRun), ...(await inOrder(labs, options, printer(flags)))]
    if (flags.json === true) print(jsonText(resultDocument(document(results))))
    else if (results.length > 1) printColoured(`\n${mutationsTable(results)}`)
    page?.write(mutationsPage(results, version(), pageFile('style.css')))
    await page?.end()
    requireMutations(results, flags)
    return results.every(({ ok, skipped }) => ok || skipped !== undefined)
      ? exitCode.ok
      : exitCode.checkFailed
  } catch (error) {
    controller.abort()
    if (interrupted.code === undefined) throw error
    return interrupted.code
  } finally {
    interrupted.forget()
  }
}

/** Mutates all labs at once, within `--jobs`, and prints their results in order. */
async function inOrder(
  labs: readonly PreparedLab[],
  options: MutateOptions,
  printOne: (result: LabMutations) => void,
): Promise<LabMutations[]> {
  let printed = Promise.resolve()
  return Promise.all(
    labs.map(async (lab) => {
      const before = printed
      const result = mutateLab(lab, options)
      printed = before.then(async () => printOne(await result))
      await printed
      return result
    }),
  )
}

function printer({ json, all, verbose }: MutateFlags): (result: LabMutations) => void {
  if (json === true) return () => undefined
  const { colour, width } = terminal()
  const everything = all !== true || verbose === true
  return (result) => {
    const text = prettyMutations(result, {
      colours: createColours(colour),
      width: Math.min(width, 110),
      everything,
    })
    printColoured(`${text}\n`)
  }
}

function notRun({ lab, reason }: { readonly lab: string; readonly reason: string }): LabMutations {
  return { lab, title: '', ok: false, mutations: [], notMet: 0, idle: [], durationMs: 0, skipped: reason }
}

function document(
  results: readonly LabMutations[],
): LabMutations | { readonly ok: boolean; readonly labs: readonly LabMutations[] } {
  const [only, ...others] = results
  if (only !== undefined && others.length === 0) return only
  return { ok: results.every(({ ok, skipped }) => ok || skipped !== undefined), labs: results }
}

/** Throws InputError if no rule was removed, because the result would otherwise be a success. */
function requireMutations(results: readonly LabMutations[], { rule }: MutateFlags): void {
  if (results.every(({ skipped }) => skipped !== undefined))
    throw new InputError([{ message: 'there is no kube-proxy rule to remove' }])
  const none = results.every(({ mutations, error }) => mutations.length === 0 && error === undefined)
  if (rule !== undefined && none)
    throw new InputError([{ message: `no rule like "${rule}" has matched a packet` }])
}
