import { liveModeOf } from '../../host/proxier/liveModes.js'
import type { SavedTable } from '../../netfilter/save.js'
import { modeOnNodes } from '../../snapshot/model/kubeProxy.js'
import type { RunningLab } from '../up/runningLab.js'
import type { RulesAround } from '../observation.js'

/** Reads every node's rules now, and again when the returned function is called. */
export async function startRulesAround(
  running: RunningLab,
): Promise<() => Promise<ReadonlyMap<string, readonly RulesAround[]>>> {
  const before = await read(running)
  return async () => {
    const after = await read(running)
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
}: RunningLab): Promise<ReadonlyMap<string, readonly SavedTable[][]>> {
  const nodes = topology.nodes.map(({ netns }) => netns)
  const { name } = modeOnNodes(kubeProxy)
  return liveModeOf(name).readRules(sandbox, machine.iptables, nodes, topology.families)
}
