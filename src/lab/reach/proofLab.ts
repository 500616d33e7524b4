import { InputError } from '../../errors.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { familyOf } from '../../net/ipFamily.js'
import { modelWith, type OtherProxy } from '../../diagnose/reach/otherProxy.js'
import { withHosts } from '../../diagnose/reach/outsideHosts.js'
import type { ReachRequest } from '../../diagnose/reach/requests.js'
import { otherNodeAddresses, serviceTargets, type Target } from '../../diagnose/reach/targets.js'
import { withTemporaryFolder } from '../../host/newFolder.js'
import { snapshotOf } from '../../snapshot/fromPlan/plannedState.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { OutsideHost } from '../../topology/types.js'
import { labFiles, labOfSnapshot } from '../fromSnapshot/labOfSnapshot.js'
import type { PreparedLab } from '../plan/prepareLab.js'

/** Calls `prepare` with the folder of the lab of a snapshot of a cluster or of a running lab. Throws InputError. */
export function withProofLab<Result>(
  snapshot: Snapshot,
  prepare: (folder: string, notices: readonly string[]) => Result,
): Result {
  const lab = labOfSnapshot(snapshot)
  const notices = [...lab.notices, 'labs have the objects that were read, and no rules of other programs']
  return withTemporaryFolder(labFiles(lab), (folder) => prepare(folder, notices))
}

/** The same lab with another kube-proxy. Throws InputError if its rules are not known. */
export function withProxy(prepared: PreparedLab, other: OtherProxy): PreparedLab {
  return { ...prepared, kubeProxy: modelWith(prepared, other).kubeProxy }
}

/** The lab with a host for each address outside that the requests come from, and that none of its clients has. */
export function withSenders(prepared: PreparedLab, requests: readonly ReachRequest[]): PreparedLab {
  const own = new Set(
    prepared.topology.places.flatMap(({ addresses }) => addresses.map(({ address }) => address)),
  )
  const lacking = requests.flatMap(({ source: { kind, address } }) =>
    kind === 'outside' && address !== undefined && !own.has(address) ? [address] : [],
  )
  const hosts = [...new Set(lacking)].map((address, index): OutsideHost => ({
    ...{ name: `sender-${index + 1}`, addresses: [address] },
  }))
  return withHosts(prepared, hosts)
}

/** The same request in a lab, which may have other addresses. Throws InputError if it lacks the sender or the address. */
export function requestIn(prepared: PreparedLab, { source, target, by }: ReachRequest): ReachRequest {
  const { topology, cluster } = prepared
  const lacks = (what: string) => new InputError([{ message: `the lab has no ${what}` }])
  const places = [...topology.nodes, ...topology.clients, ...topology.pods]
  const sender = places.find(({ kind, name, namespace = 'default', addresses }) =>
    source.kind === 'outside'
      ? kind === 'client' && addresses.some(({ address }) => address === source.address)
      : source.place === (kind === 'pod' ? `pod/${namespace}/${name}` : `${kind}/${name}`),
  )
  if (sender === undefined) throw lacks(`sender like ${source.label}`)
  const node = by && topology.nodes.find(({ name }) => name === by.name)
  if (by !== undefined && node === undefined) throw lacks(`node ${by.name}`)
  const called = { source: { ...source, from: sender.netns }, by: node }
  if (target.service === undefined) return { ...called, target }
  const service = cluster.services.find((one) => namespacedName(one) === target.service)
  const same = (one: Target) =>
    one.kind === target.kind &&
    one.port === target.port &&
    one.protocol === target.protocol &&
    one.node === target.node &&
    familyOf(one.address) === familyOf(target.address)
  const all =
    service === undefined
      ? []
      : serviceTargets(service, topology.nodes, otherNodeAddresses(snapshotOf(prepared))).filter(same)
  const found = all.find(({ address }) => address === target.address) ?? all[0]
  if (found === undefined) throw lacks(`${target.kind} of Service ${target.service}`)
  return { ...called, target: found }
}
