import { readIpvsRules, readNftRules, readRules } from '../host/readings.js'
import type { SavedTable } from '../netfilter/save.js'
import type { StartedLab } from './startedLab.js'
import type { RulesAround } from './types.js'

/** Reads every node's rules now, and again when the returned function is called. */
export async function startRulesAround(
  started: StartedLab,
): Promise<() => Promise<ReadonlyMap<string, readonly RulesAround[]>>> {
  const before = await read(started)
  return async () => {
    const after = await read(started)
    return new Map(
      [...after].map(([node, families]) => [
        node,
        families.map((tables, index) => ({ before: before.get(node)?.[index] ?? [], after: tables })),
      ]),
    )
  }
}

function read({
  sandbox,
  machine,
  prepared: { config, topology },
}: StartedLab): Promise<ReadonlyMap<string, readonly SavedTable[][]>> {
  const nodes = topology.nodes.map(({ netns }) => netns)
  if (config.mode === 'nftables') return readNftRules(sandbox, nodes, topology.families)
  if (config.mode === 'ipvs') return readIpvsRules(sandbox, machine.iptables, nodes, topology.families)
  return readRules(sandbox, machine.iptables, nodes, topology.families)
}
