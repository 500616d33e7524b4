import { readdir, rename, rm, symlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { IpFamily } from '../../cluster/types.js'
import { CommandError, SandboxError } from '../../errors.js'
import type { ProxyConfiguration } from '../../ingress/model.js'
import type { Sandbox } from '../sandbox.js'
import { currentConfiguration, type ProxyProgram } from './proxyProgram.js'
import { runningProxies, type RunningProxy } from './runningProxies.js'

/** Longest that a proxy may take until it serves what it was told. */
const patienceMs = 10_000

/** How often a proxy is asked what it serves. */
const lookEveryMs = 3

/** Where a controller's proxy has its files, and what it listens on. */
export interface ProxyPlace {
  readonly program: ProxyProgram
  /** Folder of the sandbox that holds what its replicas read; each controller has one of its own. */
  readonly folder: string
  readonly families: readonly IpFamily[]
  readonly streamModule?: string | undefined
}

/** What became of a configuration; one that the proxy does not take leaves the last good one in force. */
export type Outcome = { readonly live: true } | { readonly live: false; readonly message: string }

/** The configuration that the replicas of a controller's proxy serve. */
export interface ConfiguredProxy {
  /** Resolves when every replica that runs serves this and nothing else. Throws SandboxError, CommandError. */
  put(configuration: ProxyConfiguration): Promise<Outcome>
  /** Has replicas that started meanwhile serve what stands. */
  settle(): Promise<void>
}

/** Nothing is served, and no file is there, before the first `put`; one `put` is to be awaited before the next. */
export function configuredProxy(
  sandbox: Pick<Sandbox, 'path' | 'run' | 'writeFiles'>,
  place: ProxyPlace,
): ConfiguredProxy {
  const { program, folder } = place
  let number = 0
  let standing: string | undefined
  const settle = async () => {
    if (standing === undefined) return
    const generation = standing
    const replicas = runningProxies(sandbox, program, folder)
    await Promise.all(replicas.map((replica) => serving(replica, generation, program)))
  }
  return {
    settle,
    async put(configuration) {
      const generation = String(++number)
      const own = `${folder}/generations/${generation}`
      const files = program.write(configuration, { ...place, folder: own, generation })
      await sandbox.writeFiles(files.map(({ name, text }) => ({ path: `${own}/${name}`, text })))
      const message = await refused(sandbox, place, own)
      if (message === undefined) {
        await makeCurrent(sandbox, folder, generation)
        standing = generation
        await settle()
      }
      await forgetOthers(sandbox, folder, standing)
      return message === undefined ? { live: true } : { live: false, message }
    },
  }
}

/** What the proxy says against a configuration; undefined when it takes it. */
async function refused(
  sandbox: Pick<Sandbox, 'run'>,
  { program, folder }: ProxyPlace,
  own: string,
): Promise<string | undefined> {
  const script = `mkdir -p "$2" && cd "$2" && ${program.test}`
  const { exitCode, stdout, stderr } = await sandbox.run([
    ...['sh', '-c', script, 'sh', `${own}/${program.file}`, `${folder}/test`],
  ])
  if (exitCode === 0) return undefined
  const said = `${stderr}${stdout}`
    .replaceAll(`${own}/`, '')
    .replace(/^\[NOTICE\].*\n/gm, '')
    .trim()
  return said === '' ? `${program.tool} does not take it (exit code ${exitCode})` : said
}

/** A link is replaced at once: who starts meanwhile reads all of the one configuration or all of the other. */
async function makeCurrent(
  sandbox: Pick<Sandbox, 'path'>,
  folder: string,
  generation: string,
): Promise<void> {
  const link = sandbox.path(`${folder}/${currentConfiguration}`)
  try {
    await rm(`${link}.new`, { force: true })
    await symlink(`generations/${generation}`, `${link}.new`)
    await rename(`${link}.new`, link)
  } catch (error) {
    throw new SandboxError('cannot replace the configuration of a proxy', error)
  }
}

async function forgetOthers(
  sandbox: Pick<Sandbox, 'path'>,
  folder: string,
  standing: string | undefined,
): Promise<void> {
  const all = sandbox.path(`${folder}/generations`)
  try {
    const others = (await readdir(all)).filter((name) => name !== standing)
    await Promise.all(others.map((name) => rm(`${all}/${name}`, { recursive: true })))
  } catch (error) {
    throw new SandboxError('cannot remove an old configuration of a proxy', error)
  }
}

/** Resolves when this replica serves the generation, and its workers that served another take no connections. */
async function serving(
  replica: RunningProxy,
  generation: string,
  { tool, reload, retire }: Pick<ProxyProgram, 'tool' | 'reload' | 'retire'>,
): Promise<void> {
  const deadline = Date.now() + patienceMs
  const until = async (done: () => Promise<boolean>) => {
    while (replica.process.runs() && !(await done())) {
      if (Date.now() > deadline) {
        const outcome = `does not serve its configuration after ${patienceMs / 1000} s`
        throw new CommandError({ what: `the reload of ${tool}`, argv: [tool], outcome })
      }
      await delay(lookEveryMs)
    }
  }
  // one that is still starting would end by the signal
  let before: string | undefined
  await until(async () => (before = await replica.generation()) !== undefined)
  if (before === generation) return
  const workers = replica.workers()
  await replica.process.signal(reload)
  await until(async () => (await replica.generation()) === generation)
  if (retire !== undefined) await replica.signal(retire, workers)
  for (const worker of workers) await until(() => replica.retired(worker))
}
