import { readState } from '../../host/readings.js'
import type { RunningLab } from '../../lab/up/runningLab.js'
import type { StepResult, TopologyView } from '../../results/events.js'
import type { Flow } from '../../packets/types.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { downLinks } from '../path/downLinks.js'
import { explainFlow } from './flowPath.js'
import type { FlowPath, ReportedLab, ReportedStep, ShownPlace } from './document.js'

/** Collects, while a lab runs, what explains its flows. */
export interface PathsOfRun {
  /** To be awaited after each step, before the next one changes the lab. Throws CommandError. */
  afterStep(running: RunningLab, result: StepResult): Promise<void>
  /** Everything about the steps until now. */
  collected(): Pick<ReportedLab, 'steps' | 'topologies' | 'places'>
}

/** Reads the state of the kernel after each step, and explains each flow of the step with it. */
export function collectPaths(): PathsOfRun {
  const steps: ReportedStep[] = []
  const topologies: TopologyView[] = []
  const places = new Map<string, ShownPlace>()
  return {
    async afterStep(running, { flows }) {
      const { view, topology } = running.live.state()
      const { nodes, clients, pods } = topology
      for (const { kind, netns, name, namespace } of [...nodes, ...clients, ...pods])
        places.set(netns, { kind, name, namespace })
      if (topologies.at(-1) !== view) topologies.push(view)
      const state = await readState(running.sandbox, running.model())
      steps.push({
        topology: topologies.length - 1,
        downLinks: downLinks(state.network, Object.fromEntries(places)),
        paths: flows.map((flow) => bestExplained(state, flow)),
      })
    },
    collected: () => ({ steps, topologies, places: Object.fromEntries(places) }),
  }
}

/**
 * Connection tracking now has an entry for the flow itself. It explains the packets only if an earlier flow made it, as for a UDP
 * client that keeps its port: otherwise they are the first of a connection.
 */
function bestExplained(state: TraceState, flow: Flow): FlowPath {
  const first = explainFlow({ ...state, connections: [] }, flow)
  if ('unknown' in first || first.differing.length === 0) return first
  const later = explainFlow(state, flow)
  return 'unknown' in later || later.differing.length >= first.differing.length ? first : later
}
