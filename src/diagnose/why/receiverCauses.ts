import { namespacedName } from '../../cluster/namespacedName.js'
import { addressCauses } from './addressCauses.js'
import { isAddressed } from '../../trace/walk/visit.js'
import type { TargetPort } from './asked.js'
import { patchProposal, portsPatch, requestProposal, serviceField, type Failure } from './asked.js'
import type { Cause, Proposal } from './types.js'

/** The request arrives where nothing listens, or at an address that nothing has. */
export function receiverCauses(failure: Failure, target: TargetPort | undefined): Cause[] {
  const { missing } = failure.end
  if (missing?.kind === 'neighbour') return absentCauses(failure, missing.address, target)
  if (missing?.kind !== 'listener' || missing.port === undefined) return []
  const { snapshot, end } = failure
  const { port, protocol, address, program } = missing
  const owner = snapshot.model.names.at(address)?.label ?? end.place
  const others = snapshot.state.listeners.filter(
    (one) =>
      one.netns === end.place && one.protocol === protocol && one.port !== port && isAddressed(one, address),
  )
  const listed = others.map((one) => one.port).join(', ')
  // what pods of a cluster that was attached listen on is not known: containers can listen on ports that they do not declare
  const isDeclared =
    snapshot.basis === 'attached' && snapshot.model.topology.pods.some(({ netns }) => netns === end.place)
  const says = isDeclared
    ? `no container of ${owner} declares ${protocol} port ${port}`
    : program === undefined
      ? `nothing listens on ${protocol} port ${port} of ${owner}`
      : `the plan does not show whether ${program} listens on ${protocol} port ${port} for other hosts`
  const cause = {
    code: target === undefined ? ('port-unserved' as const) : ('targetport-unserved' as const),
    says: `${says}${listed === '' ? '' : `; ${isDeclared ? 'it declares' : 'ports that answer'}: ${listed}`}`,
  }
  if (target === undefined)
    return [
      {
        ...cause,
        proposals: others
          // these answer, and are not what was called
          .filter(({ name }) => !name.startsWith('the health checks'))
          .map((one) => requestProposal(failure, address, one.port, one.name)),
      },
    ]
  const field = serviceField(target.service, `spec.ports[${target.index}].targetPort`)
  const now = target.port.targetPort ?? target.port.port
  return [
    {
      ...cause,
      object: field,
      proposals: others.map((one): Proposal =>
        patchProposal(
          failure,
          field,
          portsPatch(target, { targetPort: one.port }),
          `${field.field}: ${now} → ${one.port}`,
        ),
      ),
    },
  ]
}

function absentCauses(failure: Failure, address: string, target: TargetPort | undefined): Cause[] {
  const own = addressCauses(failure, address)
  if (own.length > 0) return own
  const { cluster } = failure.snapshot.model
  const slice = cluster.endpointSlices.find(({ endpoints }) =>
    endpoints.some(({ addresses }) => addresses.includes(address)),
  )
  const { devices } = failure.snapshot.state.network
  // a host has it: the end says why it is not reached
  if (devices.some(({ addresses }) => addresses.some((own) => own.address === address))) return []
  const index = slice?.endpoints.findIndex(({ addresses }) => addresses.includes(address)) ?? -1
  const of = target === undefined ? '' : ` of Service ${namespacedName(target.service)}`
  return [
    {
      code: slice === undefined ? 'address-absent' : 'endpoint-absent',
      says: `no pod, node or client has the address ${address}${slice === undefined ? '' : `, an endpoint${of}`}`,
      ...(slice === undefined
        ? {}
        : {
            object: {
              kind: 'EndpointSlice',
              namespace: slice.metadata.namespace ?? 'default',
              name: slice.metadata.name,
              field: `endpoints[${index}].addresses`,
            },
          }),
      proposals: [],
    },
  ]
}
