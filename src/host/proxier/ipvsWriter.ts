import type { Clock } from '../../clock.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { isKnownError } from '../../errors.js'
import type { ProxyInput } from '../../agents/kubeProxy/input.js'
import { foundIpvs, readServers } from '../../agents/kubeProxy/ipvs/found.js'
import { timeoutLines } from '../../agents/kubeProxy/ipvs/ipvsadm.js'
import { drainedLines } from '../../agents/kubeProxy/ipvs/serverChanges.js'
import { ipvsServicePorts } from '../../agents/kubeProxy/ipvs/ports.js'
import { buildIpvs } from '../../agents/kubeProxy/ipvs/state.js'
import { ipvsSync } from '../../agents/kubeProxy/ipvs/sync.js'
import type { IpvsCommand } from '../../agents/kubeProxy/ipvs/types.js'
import { ipvsSysctls } from '../../agents/kubeProxy/sysctls.js'
import type { NodeTables } from './nodeTables.js'
import { countLines, type RuleWriter, type CurrentRules } from './ruleWriter.js'

/** How often draining real servers are checked. */
const drainMs = 60_000

export interface IpvsWriterOptions {
  readonly tables: NodeTables
  readonly family: IpFamily
  readonly clock: Clock
  /** The target of the first sync. */
  readonly input: ProxyInput
  /** True if the kernel already has this state, including sysctls. */
  readonly adopt: boolean
}

/**
 * Writes as mode ipvs does; mirrors pkg/proxy/ipvs. Every sync reads the complete state, as in kube-proxy, and writes
 * the difference. Removed real servers drain until their connections have ended.
 */
export function ipvsWriter({
  tables,
  family,
  clock,
  input,
  adopt,
}: IpvsWriterOptions): RuleWriter<CurrentRules> {
  let draining: ReadonlySet<string> = new Set()
  let first = !adopt
  let settled = adopt
  let cancelLook: (() => void) | undefined

  async function feed(commands: readonly IpvsCommand[]): Promise<string | undefined> {
    for (const { argv, input } of commands) {
      const isRestore = argv[0].endsWith('-restore')
      const error = isRestore ? await tables.restore(input) : await tables.ipvs.feed(argv, input)
      if (error !== undefined) return error
    }
    return undefined
  }

  /** Sets what kube-proxy sets once at its start: sysctls and timeouts. */
  async function settle(): Promise<string | undefined> {
    const lines = Object.entries(ipvsSysctls(input)).map(([name, value]) => `${name} = ${value}\n`)
    const error = await feed([
      { argv: ['sysctl', '--quiet', '--load=-'], input: lines.join('') },
      ...timeoutLines(input.config.ipvs).map((line) => ({
        argv: ['ipvsadm', '--restore'] as const,
        input: `${line}\n`,
      })),
    ])
    settled = error === undefined
    return error
  }

  function lookLater(): void {
    cancelLook?.()
    cancelLook = draining.size === 0 ? undefined : clock.after(drainMs, () => void lookAtDraining())
  }

  async function lookAtDraining(): Promise<void> {
    try {
      const { lines, draining: left } = drainedLines(
        readServers(await tables.ipvs.listServers(), family),
        draining,
      )
      const input = lines.map((line) => `${line}\n`).join('')
      if (input !== '') await tables.ipvs.feed(['ipvsadm', '--restore'], input)
      draining = left
    } catch (error) {
      // the sandbox may be ending; the next check finds any other error again
      if (!isKnownError(error)) throw error
    }
    lookLater()
  }

  const current = (of: ProxyInput): CurrentRules => ({ servicePorts: ipvsServicePorts(of, family) })
  return {
    build: current,
    async write({ next }) {
      const after = current(next)
      const failed = (error: string) => ({ after, error, linesWritten: 0, chainsDeleted: [] })
      const unsettled = settled ? undefined : await settle()
      if (unsettled !== undefined) return failed(unsettled)
      const found = foundIpvs(await tables.ipvs.list(), family)
      const localAddresses = found.elsewhere
      const wanted = buildIpvs({ ...next, localAddresses }, family)
      const { excludeCIDRs } = next.config.ipvs
      const sync = ipvsSync(found, wanted, { draining, first, excludeCIDRs })
      draining = sync.draining
      lookLater()
      const error = await feed(sync.commands)
      if (error === undefined) first = false
      const linesWritten = sync.commands.reduce((sum, { input }) => sum + countLines(input), 0)
      return { after, error, linesWritten, chainsDeleted: [] }
    },
    spared: () => false,
    // every sync reads the complete state, and there is one each syncPeriod
    flushed: () => Promise.resolve(false),
    resyncMs: input.config.ipvs.syncPeriod * 1000,
    stop: () => cancelLook?.(),
  }
}
