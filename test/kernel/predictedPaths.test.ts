import t from 'tap'
import { plannedState } from '../../src/snapshot/fromPlan/plannedState.js'
import { tracedRequest } from '../../src/diagnose/tracedRequest.js'
import { isRequest } from '../../src/lab/file/toStep.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import type { StepAction } from '../../src/lab/types.js'
import { withLab } from '../../src/lab/up/withLab.js'
import type { Action } from '../../src/results/request.js'
import { predict } from '../../src/trace/predict.js'
import { firstPacket, type TraceRequest } from '../../src/trace/request.js'
import { runs } from '../suite.js'
import { cannotRun } from './ability.js'
import { flowText, observedPath, pathText } from './predictedPaths.js'

/** Labs whose first steps are requests that a plan can predict, in mode iptables; in `npm test` the first ones. */
const labs = [
  ...['ports-and-protocols', 'pod-network-vxlan', 'dual-stack'],
  ...['clusterip', 'nodeport', 'external-ips', 'no-endpoints', 'traffic-policy', 'host-network', 'host-port'],
  ...['why-masquerade', 'nodeport-details'],
].slice(0, runs(12, 2))

/** At most so many requests of one step: enough that each endpoint is chosen at times. */
const mostRepeats = 4

for (const name of labs) {
  t.test(`requests of the lab ${name} take a predicted path`, { skip: cannotRun }, async (t) => {
    const prepared = prepareLab(name)
    const state = plannedState(prepared)
    const changed = prepared.steps.findIndex(({ action }) => changes(action))
    const steps = changed < 0 ? prepared.steps : prepared.steps.slice(0, changed)
    let [predicted, observed] = [0, 0]
    await withLab(name, async (lab) => {
      for (const step of steps) {
        const { action, from, repeat = 1 } = step
        const written = isRequest(action) ? requestOf(action) : undefined
        if (written === undefined || from === undefined || step.leftOut !== undefined) continue
        const request = tracedRequest(prepared, { from, ...written })
        const { paths } = predict(state, request.from, firstPacket(state, request))
        for (let count = 0; count < Math.min(repeat, mostRepeats); count++) {
          const { flow, ruleCounts } = await lab.flow(from, action as Action)
          if (flow === undefined) continue
          predicted++
          const found = observedPath(paths, flow, ruleCounts)
          if (found >= 0) observed++
          const texts = [`${name}: ${step.name}`, flowText(flow), 'predicted:', ...paths.map(pathText)]
          t.ok(found >= 0, found >= 0 ? step.name : texts.join('\n'))
        }
      }
    })
    t.comment(`${name}: ${predicted} paths predicted, ${observed} as observed`)
    t.ok(predicted > 0, 'the lab has requests')
  })
}

/** Undefined for requests that a prediction does not accept: names that DNS resolves. */
function requestOf(
  action: Action,
): (Pick<TraceRequest, 'protocol' | 'sourcePort'> & { readonly to: string }) | undefined {
  const isName = (host: string) => !/^[\d.]+$|:/.test(host)
  switch (action.kind) {
    case 'curl':
      return isName(new URL(action.url).hostname) ? undefined : { to: action.url, protocol: 'tcp' }
    case 'nc': {
      const { host, port, udp, sourcePort } = action
      const to = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
      return isName(host) ? undefined : { to, protocol: udp === true ? 'udp' : 'tcp', sourcePort }
    }
    case 'ping':
      return isName(action.host) ? undefined : { to: action.host, protocol: 'icmp' }
    case 'command':
      return undefined
  }
}

/** Whether a step may change what the plan says: commands may, except those that only print. */
function changes(action: StepAction): boolean {
  if (!isRequest(action)) return true
  return action.kind === 'command' && !['ip', 'bridge', 'arping'].includes(action.argv[0] ?? '')
}
