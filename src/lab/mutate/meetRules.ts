import { readRuleCounts } from '../../host/readings.js'
import { startNftTrace } from '../../host/trace/nftTrace.js'
import type { StepResult } from '../../results/events.js'
import { stepFailed } from '../../results/verdict.js'
import { modeOnNodes } from '../../snapshot/model/kubeProxy.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import { runSteps } from '../steps/runSteps.js'
import type { StartOptions } from '../up/startOptions.js'
import type { RunningLab } from '../up/runningLab.js'
import { withRunningLab } from '../up/withRunningLab.js'
import type { CataloguedRule } from '../../agents/kubeProxy/cataloguedRule.js'
import { createCatalogue, type Catalogue, type MetRule } from './catalogue.js'

/** The result of a whole run of a lab. */
export interface MetRules {
  /** The rules that matched a packet, in the order in which packets meet them. */
  readonly met: readonly MetRule[]
  readonly notMet: readonly CataloguedRule[]
  /** The first failed check, `step › check: observed`: rules of a lab that already fails cannot be tested. */
  readonly failed: string | undefined
  readonly durationMs: number
}

/** Runs a lab and reads after each step which rules packets met: counters are lost when a rule is rewritten. */
export async function meetRules(prepared: PreparedLab, options: StartOptions): Promise<MetRules> {
  const start = performance.now()
  return withRunningLab(prepared, options, async (running) => {
    const { nfacct, iptables } = running.machine
    const catalogue = createCatalogue({ nfacct, randomFully: iptables.randomFully })
    catalogue.note(prepared)
    running.live.onState((state) => catalogue.note({ ...prepared, ...state }))
    const read = await startReading(running, catalogue)
    const results = await runSteps(running, { before: read })
    await read()
    const failed = results.find(stepFailed)
    return {
      ...catalogue.rules(),
      failed: failed && failureOf(failed),
      durationMs: performance.now() - start,
    }
  })
}

function failureOf({ name, checks, error }: StepResult): string {
  const check = checks.find(({ ok }) => !ok)
  return `${name} › ${check === undefined ? (error ?? 'carried out') : `${check.name}: ${check.observed}`}`
}

/** In a mode whose rules count no packets, packets are traced. */
async function startReading(running: RunningLab, catalogue: Catalogue): Promise<() => Promise<void>> {
  const { sandbox, prepared, live } = running
  if (modeOnNodes(prepared.kubeProxy).countsPackets) return () => readCounts(running, catalogue)
  const { nodes, families } = live.state().topology
  const netnsNames = nodes.map(({ netns }) => netns)
  const trace = await startNftTrace(sandbox, netnsNames, families, 'lab')
  return async () => {
    const traced = await trace.take()
    for (const family of families) {
      const ip = family === 'IPv4' ? 'ip' : 'ip6'
      for (const { name, netns } of nodes)
        catalogue.meet(name, family, traced.get(netns)?.met.filter((rule) => rule.family === ip) ?? [])
    }
  }
}

async function readCounts({ sandbox, machine, live }: RunningLab, catalogue: Catalogue): Promise<void> {
  const { nodes, families } = live.state().topology
  for (const family of families) {
    const netnsNames = nodes.map(({ netns }) => netns)
    const counts = await readRuleCounts(sandbox, machine.iptables, netnsNames, [family])
    for (const { name, netns } of nodes) catalogue.count(name, family, counts.get(netns) ?? [])
  }
}
