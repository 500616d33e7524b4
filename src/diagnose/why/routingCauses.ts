import type { PolicyRule, TraceState } from '../../snapshot/model/state.js'
import { hostProposal, type Failure } from './asked.js'
import type { Cause } from './types.js'

/** Rules of policy routing by which a packet left the path that the main table has. */
export function routingCauses(failure: Failure): Cause[] {
  const { path, snapshot, packet } = failure
  const used = path.hops.flatMap(({ place, steps }) =>
    steps.flatMap((step) => (step.kind === 'route' && step.policy !== undefined ? [{ place, step }] : [])),
  )
  const seen = new Set<PolicyRule>()
  return used.flatMap(({ place, step }): Cause[] => {
    const rule = snapshot.state.policies?.find(
      ({ netns, family, priority }) =>
        netns === place && family === packet.family && priority === step.policy,
    )
    if (rule === undefined || seen.has(rule)) return []
    seen.add(rule)
    const { priority } = rule
    const edit = (from: TraceState): TraceState => ({
      ...from,
      policies: (from.policies ?? []).filter((one) => one !== rule),
    })
    const says = `rule ${priority} of policy routing on ${place} is removed`
    const six = packet.family === 'IPv6' ? '-6 ' : ''
    return [
      {
        code: 'policy-routing',
        says: `policy routing on ${place} (${ruleText(rule)}) sends packets to ${step.to} by ${step.route}`,
        proposals: [hostProposal(failure, place, `ip ${six}rule del priority ${priority}`, says, edit)],
      },
    ]
  })
}

/** As `ip rule` prints it. */
function ruleText({ priority, from = 'all', to, iif, mark, table, action }: PolicyRule): string {
  return [
    `${priority}: from ${from}`,
    ...(to === undefined ? [] : [`to ${to}`]),
    ...(mark === undefined ? [] : [`fwmark 0x${mark.value.toString(16)}`]),
    ...(iif === undefined ? [] : [`iif ${iif}`]),
    action ?? `lookup ${table}`,
  ].join(' ')
}
