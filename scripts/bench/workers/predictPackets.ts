// Predicts packets, in the folder of the checkout: `node predictPackets.mjs save <services>` reads the saved rules of one node and
// predicts a packet to the last Service; `node predictPackets.mjs lab <folder>` predicts the requests of every source to every port.
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { plannedState } from '../../../src/snapshot/fromPlan/plannedState.js'
import { buildRuleset } from '../../../src/agents/kubeProxy/iptables/ruleset.js'
import { toSaved } from '../../../src/agents/kubeProxy/iptables/saved.js'
import type { TraceState } from '../../../src/snapshot/model/state.js'
import { predict, predictor } from '../../../src/trace/predict.js'
import { firstPacket } from '../../../src/trace/request.js'
import { loadRestore } from '../../../src/snapshot/rules/loadRestore.js'
import { renderSave } from '../../../src/netfilter/renderSave.js'
import { manyServices } from '../services.js'
import { inTurns } from '../turns.js'

/** What `save` prints; times are in milliseconds. */
export interface PredictedSave {
  readonly lines: number
  readonly bytes: number
  readonly parsed: readonly number[]
  readonly predicted: readonly number[]
}

/** What `lab` prints; times are in milliseconds. */
export interface PredictedLab {
  readonly sources: number
  readonly measured: readonly number[]
}

const [what, argument = ''] = process.argv.slice(2)
const result = await (what === 'save' ? save(Number(argument)) : lab(argument))
process.stdout.write(`${JSON.stringify(result)}\n`)

async function save(services: number): Promise<PredictedSave> {
  const text = renderSave(toSaved(buildRuleset(manyServices(services, 3), 'IPv4')))
  const clusterIp = plannedState(prepareLab('clusterip'))
  const last = 0x0a_60_00_00 + services - 1
  const address = [24, 16, 8, 0].map((shift) => (last >>> shift) & 255).join('.')
  let tables = loadRestore(text)
  const [parsed = [], predicted = []] = await inTurns(
    5,
    elapsed(() => (tables = loadRestore(text))),
    elapsed(() => {
      const rules = new Map([...clusterIp.rules.keys()].map((node) => [node, { IPv4: tables }]))
      const state = { ...clusterIp, rules }
      const { paths } = predict(state, 'caller', toService(state, 'caller', address, 80))
      if (paths.length !== 3) throw new Error(`${paths.length} paths to 3 endpoints`)
    }),
  )
  const lines = text.split('\n').filter((line) => line.startsWith('-A')).length
  return { lines, bytes: text.length, parsed, predicted }
}

async function lab(folder: string): Promise<PredictedLab> {
  const prepared = prepareLab(folder)
  const { topology, cluster } = prepared
  const state = plannedState(prepared)
  const sources = [...topology.nodes, ...topology.clients, ...topology.pods]
  const run = () => {
    const predictOne = predictor(state)
    let paths = 0
    for (const { netns: from } of sources)
      for (const { spec } of cluster.services)
        for (const { port } of spec.ports ?? [])
          paths += predictOne(from, toService(state, from, spec.clusterIP ?? '', port)).paths.length
    if (paths < sources.length * cluster.services.length) throw new Error(`only ${paths} paths`)
  }
  const [measured = []] = await inTurns(3, elapsed(run))
  return { sources: sources.length, measured }
}

function toService(state: TraceState, from: string, address: string, port: number) {
  return firstPacket(state, { from, protocol: 'tcp', address, port })
}

function elapsed(work: () => unknown): () => Promise<number> {
  return () => {
    const start = performance.now()
    work()
    return Promise.resolve(performance.now() - start)
  }
}
