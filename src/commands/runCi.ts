import { basename, dirname, join } from 'node:path'
import { matrix, type Cell } from '../ci/matrix.js'
import { schedule, type Place } from '../ci/schedule.js'
import { shares } from '../ci/shares.js'
import type { IpFamily } from '../net/ipFamily.js'
import { CannotRunError, exitCode, InputError, OwnFamiliesError, OwnModeError } from '../errors.js'
import type { IptablesBackend } from '../netfilter/types.js'
import { sweep } from '../host/docker/container.js'
import { openDockerHost, type DockerHost } from '../host/docker/dockerHost.js'
import { ensureImage } from '../host/docker/image.js'
import { findLab, listLabs, ownPackageRoot } from '../lab/file/findLab.js'
import { liveModeOf } from '../host/proxier/liveModes.js'
import { modeOnNodes } from '../snapshot/model/kubeProxy.js'
import { prepareLab } from '../lab/plan/prepareLab.js'
import type { ModeName } from '../agents/kubeProxy/config.js'
import type { LabEvent, Reporter, ReporterOptions } from '../results/events.js'
import { count } from '../text/count.js'
import { createHtmlRun } from './labs/htmlRun.js'
import { createReporter } from '../reporters/index.js'
import { endOnSignals } from './endOnSignals.js'
import { failure, runShare } from '../ci/runShare.js'
import { reportingInvalid, type OnInvalid } from './labs/reportInvalid.js'
import { withProgress } from './labs/progress.js'
import { terminal } from './terminal.js'
import { makeFolderForCaller, writeForCaller } from '../host/callerFiles.js'
import { unlessAborted } from '../host/sandbox/unlessAborted.js'
import { printColoured, printError } from './output.js'

/** The options of `vethlab ci`. */
export interface CiFlags {
  readonly iptables: readonly IptablesBackend[]
  readonly families: readonly (readonly IpFamily[])[]
  readonly mode: readonly ModeName[]
  readonly ignore: readonly string[]
  readonly jobs?: number
  readonly host: readonly string[]
  readonly timeout: number
  readonly out?: string
  readonly merge?: true
  readonly base?: string
  readonly buildNetwork?: string
}

/** Bytes of memory per container, which limit the number of containers at once without `--jobs`. */
const memoryOfContainer = 512 * 1024 * 1024

const files = {
  tap: 'report.tap',
  junit: 'junit.xml',
  json: 'report.json',
  markdown: 'summary.md',
  html: 'report.html',
} as const

/** Runs a matrix of labs in containers and writes one report; returns the exit code. */
export async function runCi(names: readonly string[], flags: CiFlags): Promise<number> {
  const packageRoot = ownPackageRoot()
  if (packageRoot === undefined) throw new CannotRunError('vethlab cannot find its own package')
  const open = () => openReports(flags.out)
  const { cells, skipped } = await reportingInvalid(
    () => {
      const report = open()
      return { report, finish: () => Promise.resolve(report.end()) }
    },
    (onInvalid) => plan(names, flags, packageRoot, onInvalid),
  )
  const log = (line: string) => printError(`vethlab: ${line}\n`)
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  const { signal } = controller
  try {
    const opening = settled(
      (flags.host.length === 0 ? [undefined] : flags.host).map(async (name) => {
        const host = await openDockerHost(name)
        const left = await sweep(host)
        if (left > 0) log(`${host.name}: removed ${count(left, 'container')} of an interrupted run`)
        const options = { packageRoot, base: flags.base, network: flags.buildNetwork, signal, log }
        return { host, image: await ensureImage(host, options) }
      }),
      log,
    )
    // an engine may never answer
    const hosts = await unlessAborted(signal, opening)
    const report = open()
    let passed = true
    const ended = new Set<string>()
    const onEvent = (event: LabEvent) => {
      if (event.type === 'lab-end') {
        ended.add(event.lab)
        if (!event.result.ok) passed = false
      }
      report.on(event)
    }
    const places = hosts.flatMap(({ host, image }): Place[] => {
      const options = { host, image, timeout: flags.timeout, out: flags.out, ignore: flags.ignore }
      const run = (share: readonly Cell[]) => runShare(share, { ...options, signal, onEvent, log })
      return Array.from({ length: Math.min(cells.length, flags.jobs ?? fitting(host)) }, () => ({
        host: host.name,
        run,
      }))
    })
    log(`running ${count(cells.length, 'lab')}, ${count(places.length, 'container')} at once`)
    for (const [cell, reason] of skipped) onEvent({ type: 'lab-skipped', lab: cell.name, reason })
    let why = 'the run was interrupted'
    try {
      const left = await schedule(shares(cells, places.length), places)
      if (left.length > 0) why = 'it did not run: no Docker host was left'
    } finally {
      // labs that did not run are reported as failed
      const missing = cells.filter(({ name }) => !ended.has(name))
      for (const cell of missing) onEvent(failure(cell, why))
      report.end()
    }
    return passed ? exitCode.ok : exitCode.checkFailed
  } catch (error) {
    if (interrupted.code === undefined) throw error
    return interrupted.code
  } finally {
    interrupted.forget()
  }
}

/** Reads every lab as it will run, so that errors are reported before anything starts. */
function plan(names: readonly string[], flags: CiFlags, packageRoot: string, onInvalid: OnInvalid) {
  const folders = names.length === 0 ? listLabs() : names.map((name) => findLab(name))
  const labs = folders.map((folder) => {
    const inImage = dirname(folder) === join(packageRoot, 'labs')
    return { name: basename(folder), lab: inImage ? basename(folder) : folder, folder }
  })
  const folderOf = new Map(labs.map(({ lab, folder }) => [lab, folder]))
  if (folderOf.size < labs.length || new Set(labs.map(({ name }) => name)).size < labs.length)
    throw new InputError([{ message: 'each lab can be named only once' }])
  const cells: Cell[] = []
  const skipped: [Cell, string][] = []
  for (const cell of matrix(labs, flags.iptables, flags.families, flags.mode)) {
    try {
      const { families, mode } = cell.variant
      const { kubeProxy } = prepareLab(folderOf.get(cell.lab) ?? cell.lab, {
        families,
        mode,
        ignoreKinds: new Set(flags.ignore),
      })
      const isRequested = names.length > 0 || mode !== undefined
      // it is not known whether the kernels of the hosts have the module
      const proxyMode = modeOnNodes(kubeProxy).name
      const { kernelNeeds } = liveModeOf(proxyMode)
      if (kernelNeeds !== undefined && !isRequested) {
        const why = `it needs mode ${proxyMode}: name it to run it on hosts with the module ${kernelNeeds.module}`
        skipped.push([cell, why])
      } else cells.push(cell)
    } catch (error) {
      if (!(error instanceof OwnFamiliesError || error instanceof OwnModeError)) {
        if (error instanceof InputError) onInvalid(cell.name, error)
        throw error
      }
      skipped.push([cell, error.problems[0]?.message ?? error.message])
    }
  }
  if (cells.length === 0) throw new InputError([{ message: 'no lab can run with these families and modes' }])
  return { cells, skipped }
}

/** The hosts that can be used. Throws only if none can. */
async function settled<Host>(
  opening: readonly Promise<Host>[],
  log: (line: string) => void,
): Promise<Host[]> {
  const ends = await Promise.allSettled(opening)
  const hosts = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []))
  const wrong = failed.find((error) => hosts.length === 0 || !(error instanceof CannotRunError))
  if (wrong !== undefined) throw wrong
  for (const error of failed) log(`continuing without it: ${error.message}`)
  return hosts
}

function fitting({ cpus, memory }: DockerHost): number {
  return Math.max(1, Math.min(cpus, Math.floor(memory / memoryOfContainer)))
}

/** Prints a line for each lab, and with `--out` writes every report to a file. */
export function openReports(out: string | undefined): Reporter {
  const brief = createReporter('brief', {
    write: (text) => printColoured(text),
    ...terminal(),
    language: 'en',
  })
  const screen = withProgress(brief, true)
  if (out === undefined) return screen
  makeFolderForCaller(out)
  const formats = Object.entries(files) as [keyof typeof files, string][]
  const kept = formats.map(([name, file]) => {
    let text = ''
    const options: ReporterOptions = {
      write: (more) => (text += more),
      colour: false,
      width: 100,
      language: 'en',
    }
    const reporter = name === 'html' ? createHtmlRun().create(options) : createReporter(name, options)
    return {
      on: (event: LabEvent) => reporter.on(event),
      end: () => {
        reporter.end()
        writeForCaller(join(out, file), text)
      },
    }
  })
  const all = [screen, ...kept]
  return {
    on: (event) => all.forEach((each) => each.on(event)),
    end: () => all.forEach((each) => each.end()),
  }
}
