import { liveModeOf } from '../../host/proxier/liveModes.js'
import type { SavedTable } from '../../netfilter/save.js'
import { modeOnNodes } from '../plan/kubeProxy.js'
import type { StartedLab } from '../up/startedLab.js'
import type { RulesAround } from '../types.js'

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
  prepared: { kubeProxy, topology },
}: StartedLab): Promise<ReadonlyMap<string, readonly SavedTable[][]>> {
  const nodes = topology.nodes.map(({ netns }) => netns)
  const { name } = modeOnNodes(kubeProxy)
  return liveModeOf(name).readRules(sandbox, machine.iptables, nodes, topology.families)
}
