import { confined } from '../../topology/confined.js'
import { CommandError, SandboxError } from '../../errors.js'
import { certificateFile } from '../../ingress/certificateFiles.js'
import type { ProxyConfiguration } from '../../ingress/model.js'
import type { PlannedCommand } from '../../topology/types.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { until } from '../until.js'
import { currentConfiguration, type ProxyProgram } from './proxyProgram.js'
import type { ProxyStatus } from './commandStatus.js'
import {
  generationFolder,
  planConfiguration,
  type PlannedConfiguration,
  type ProxyPlace,
} from './planConfiguration.js'
import { runningProxies, type RunningProxy } from './runningProxies.js'

/** Longest time until a proxy serves a new configuration. */
const patienceMs = 30_000

/** Whether a configuration is served; if the proxy rejects it, the last valid one stays active. */
export type Outcome = { readonly live: true } | { readonly live: false; readonly message: string }

/** The configuration that the replicas of a controller's proxy serve. */
export interface ConfiguredProxy {
  /**
   * Resolves when every running replica serves only this configuration; `planned` is the result of planConfiguration.
   * Throws SandboxError, CommandError.
   */
  put(configuration: ProxyConfiguration, planned?: PlannedConfiguration): Promise<Outcome>
  /** Makes replicas that started in the meantime serve the current configuration. */
  settle(): Promise<Outcome>
}

/** Nothing is served or written before the first `put`; await each `put` before the next. */
export function configuredProxy(
  sandbox: Pick<Sandbox, 'inside' | 'run' | 'writeFiles'>,
  place: ProxyPlace,
): ConfiguredProxy {
  const { program, folder } = place
  let number = 0
  let current: string | undefined
  const serve = async (generation: string): Promise<Outcome> => {
    const replicas = runningProxies(sandbox, program, folder)
    const errors = await Promise.all(replicas.map((replica) => serving(replica, generation, program)))
    const message = errors.find((error) => error !== undefined)
    return message === undefined ? { live: true } : { live: false, message }
  }
  return {
    settle: () => (current === undefined ? Promise.resolve({ live: true }) : serve(current)),
    async put(configuration, planned) {
      const generation = String(++number)
      const own = generationFolder(folder, generation)
      const whole = planConfiguration(configuration, place, generation)
      const { files, commands } = planned ?? whole
      await sandbox.writeFiles([
        ...files.filter(({ holdsKeys }) => holdsKeys !== true),
        ...whole.files.filter(({ holdsKeys }) => holdsKeys === true),
      ])
      const before = current
      let outcome = await tested(sandbox, program, commands)
      if (outcome.live) {
        makeCurrent(sandbox, folder, generation)
        current = generation
        outcome = await serve(generation)
        if (!outcome.live && before !== undefined) {
          // replicas that start, or that accepted it, return to the configuration that all accept
          makeCurrent(sandbox, folder, before)
          current = before
          await serve(before)
        }
      }
      await forgetOthers(sandbox, folder, current)
      return outcome.live
        ? outcome
        : { live: false, message: withNames(outcome.message, configuration, `${own}/`) }
    },
  }
}

/** A proxy's message with the names of Secrets instead of file names. */
function withNames(message: string, { certificates }: ProxyConfiguration, own: string): string {
  return Object.keys(certificates)
    .reduce((said, id, index) => said.replaceAll(`${own}${certificateFile(index)}`, id), message)
    .replaceAll(own, '')
}

/** Tests a configuration before it is served. */
async function tested(
  sandbox: Pick<Sandbox, 'run'>,
  { tool }: ProxyProgram,
  [test]: readonly PlannedCommand[],
): Promise<Outcome> {
  if (test === undefined) return { live: true }
  const { exitCode, stdout, stderr } = await sandbox.run([...confined, ...test.argv])
  if (exitCode === 0) return { live: true }
  const said = withoutNoise(`${stderr}${stdout}`)
  const message = said === '' ? `${tool} rejects it (exit code ${exitCode})` : said
  return { live: false, message }
}

/** A message without times, process ids and lines without information. */
function withoutNoise(said: string): string {
  return said
    .replace(/^\d{4}\/\d\d\/\d\d [\d:]+ \[emerg\] \d+#\d+: /gm, '')
    .replace(/^nginx: configuration file .* test failed\n/gm, '')
    .replace(/^\[NOTICE\].*\n/gm, '')
    .replace(/^\[ALERT\] +\(\d+\) : (config : )?/gm, '')
    .replace(/^(Error\(s\) found in configuration file|Fatal errors found in configuration).*\n/gm, '')
    .trim()
}

/** Replaces the link atomically: a starting replica reads either the old or the new configuration. */
function makeCurrent({ inside }: Pick<Sandbox, 'inside'>, folder: string, generation: string): void {
  try {
    inside.link(`${folder}/${currentConfiguration}`, `generations/${generation}`)
  } catch (error) {
    throw new SandboxError('cannot replace the configuration of a proxy', error)
  }
}

async function forgetOthers(
  sandbox: Pick<Sandbox, 'inside' | 'run'>,
  folder: string,
  current: string | undefined,
): Promise<void> {
  const all = `${folder}/generations`
  try {
    const others = sandbox.inside.list(all).filter((name) => name !== current)
    if (others.length > 0) await sandbox.run(['rm', '-rf', '--', ...others.map((name) => `${all}/${name}`)])
  } catch (error) {
    throw new SandboxError('cannot remove an old configuration of a proxy', error)
  }
}

/**
 * Resolves when this replica serves the generation and its old workers accept no more connections; with an error message
 * if the replica rejects it.
 */
async function serving(
  replica: RunningProxy,
  generation: string,
  { tool, test, reload, retire, command = [] }: ProxyProgram,
): Promise<string | undefined> {
  const untilItIs = async (done: () => Promise<boolean>) => {
    if (await until(async () => !replica.process.runs() || (await done()), { patienceMs })) return
    const does = test === undefined ? 'does not report' : 'does not serve'
    const outcome = `${does} its configuration ${generation} after ${patienceMs / 1000} s`
    throw new CommandError({
      what: `the reload of ${tool}`,
      argv: test === undefined ? command : [tool],
      outcome,
    })
  }
  // the signal would end a replica that is still starting
  let status: ProxyStatus | undefined
  await untilItIs(async () => (status = await replica.status()) !== undefined)
  if (status?.generation === generation) return status.error
  const workers = replica.workers()
  await replica.process.signal(reload)
  await untilItIs(async () => (status = await replica.status())?.generation === generation)
  if (status?.error !== undefined) return status.error
  if (retire !== undefined) await replica.signal(retire, workers)
  for (const worker of workers) await untilItIs(() => replica.retired(worker))
  return undefined
}
