import type { IpFamily } from '../../net/ipFamily.js'
import { parseSave } from '../../netfilter/save.js'
import type { ConntrackEntry } from '../../netfilter/types.js'
import { joinHostPort } from '../../net/socketText.js'
import type { ProxyInput } from '../../agents/kubeProxy/input.js'
import { portalOrders, withoutRefused, type PortRefused } from '../../agents/kubeProxy/userspace/orders.js'
import { buildPortals, updatePortals, type Portals } from '../../agents/kubeProxy/userspace/portals.js'
import { userspaceChanges, userspaceRestore } from '../../agents/kubeProxy/userspace/restore.js'
import { userspaceRules } from '../../agents/kubeProxy/userspace/rules.js'
import { allExist, missingJumps } from '../../agents/kubeProxy/userspace/existing.js'
import type { UserspaceRules } from '../../agents/kubeProxy/userspace/types.js'
import type { NodePortals } from '../userspace/nodePortals.js'
import type { NodeTables } from './nodeTables.js'
import { countLines, type RuleWriter, type CurrentRules } from './ruleWriter.js'

/** How many proxy ports are tried if another process uses the first one. */
const attempts = 16

/** Portals with the rules that lead to them. */
interface CurrentPortals extends CurrentRules {
  readonly portals: Portals
  readonly rules: UserspaceRules
}

export interface UserspaceWriterOptions {
  readonly tables: NodeTables
  readonly family: IpFamily
  readonly portals: NodePortals
  /** The input of the current rules and portals. */
  readonly adopted: ProxyInput | undefined
}

/** Opens portals and writes the rules to them, as mode userspace does; mirrors pkg/proxy/userspace. */
export function userspaceWriter(options: UserspaceWriterOptions): RuleWriter<CurrentPortals> {
  const { tables, family, portals: node, adopted } = options
  /** The current state as far as known, also after a failed sync: portals stay open then. */
  let known = adopted === undefined ? undefined : currentOf(buildPortals(adopted, family))

  /** Retries portals whose proxy port is taken with other ports. */
  async function open(wanted: Portals, next: ProxyInput): Promise<[Portals, readonly PortRefused[]]> {
    let portals = wanted
    for (let attempt = 1; ; attempt++) {
      const refused = await node.replace(portalOrders(family, portals, next.localAddresses))
      const taken = new Set(refused.filter(({ what }) => what === 'proxy port').map(({ key }) => key))
      const left = portals.portals.filter(({ port }) => !taken.has(port.key))
      if (taken.size === 0 || attempt === attempts) return [{ ...portals, portals: left }, refused]
      portals = updatePortals({ ...portals, portals: left }, next, family)
    }
  }

  /** UDP packets of a removed port would bypass the rules; mirrors unmergeService. */
  async function forgetGone(before: Portals | undefined, after: Portals): Promise<readonly ConntrackEntry[]> {
    const here = new Set(after.portals.map(({ port }) => port.key))
    const gone = (before?.portals ?? []).flatMap(({ port }) =>
      port.protocol === 'UDP' && !here.has(port.key) ? [port.clusterIP] : [],
    )
    if (gone.length === 0) return []
    const entries = await tables.udpEntries()
    return tables.deleteEntries(entries.filter(({ original }) => gone.includes(original.destination.address)))
  }

  return {
    build: (input) => currentOf(buildPortals(input, family)),
    async write({ before, next }) {
      const earlier = (before ?? known)?.portals
      const wanted =
        earlier === undefined
          ? buildPortals(next, family, node.lastPort.get(family))
          : updatePortals(earlier, next, family)
      const [portals, refused] = await open(wanted, next)
      node.lastPort.set(family, portals.lastPort)
      const after = currentOf(portals, refused)
      known = after
      const text = before === undefined ? await fullText(tables, after.rules, family) : changed(before, after)
      const error = text === '' ? undefined : await tables.restore(text)
      const entriesDeleted = error === undefined ? await forgetGone(earlier, portals) : []
      return {
        after,
        error,
        linesWritten: countLines(text),
        chainsDeleted: [],
        entriesDeleted,
        complaint: refused.length === 0 ? undefined : refused.map(refusedWords).join('; '),
      }
    },
    // its syncs write changes only: a full sync each hour costs little
    spared: () => false,
    async flushed() {
      if (known === undefined) return false
      const text = await tables.save()
      return !allExist(text.includes('*') ? parseSave(text) : [], known.rules, family)
    },
  }
}

function currentOf(portals: Portals, refused: readonly PortRefused[] = []): CurrentPortals {
  const served = withoutRefused(portals, refused)
  // only entries of removed ports are stale: in this mode the kernel does not know the endpoints
  return { portals, rules: userspaceRules(served.portals, served.place), servicePorts: [] }
}

async function fullText(tables: NodeTables, rules: UserspaceRules, family: IpFamily): Promise<string> {
  const text = await tables.save()
  return userspaceRestore(rules, missingJumps(text.includes('*') ? parseSave(text) : [], rules, family))
}

function changed(before: CurrentPortals, after: CurrentPortals): string {
  return userspaceChanges(before.rules, after.rules)
}

function refusedWords({ key, what, address, port, code }: PortRefused): string {
  return `${key}: ${what} ${joinHostPort(address, port)}: ${code}`
}
