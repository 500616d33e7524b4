import { isDeepStrictEqual } from 'node:util'
import { isPolicyPod } from '../../cluster/policies/selection.js'
import { podAddresses } from '../../cluster/pods/podFacts.js'
import type { Pod } from '../../cluster/types.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'

/** A pod with its address in one family. */
export interface PodAddress {
  readonly pod: Pod
  readonly address: string
}

/** The pods that policies can select, with their addresses of a family; `known` ones are kept where nothing of them has changed. */
export function addressesOf(
  pods: readonly Pod[],
  family: IpFamily,
  known: readonly PodAddress[],
): PodAddress[] {
  const before = new Map(known.map((one) => [keyOf(one.pod), one]))
  return pods.flatMap((pod): PodAddress[] => {
    const address = podAddresses(pod).find((one) => familyOf(one) === family)
    if (!isPolicyPod(pod) || address === undefined) return []
    const old = before.get(keyOf(pod))
    return [old !== undefined && old.address === address && isSame(old.pod, pod) ? old : { pod, address }]
  })
}

function keyOf({ metadata }: Pod): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name}`
}

/** Whether two versions of a pod differ in nothing that policies look at: its status changes often. */
function isSame(a: Pod, b: Pod): boolean {
  return (
    a === b ||
    ((a.spec === b.spec || isDeepStrictEqual(a.spec, b.spec)) &&
      isDeepStrictEqual(a.metadata.labels, b.metadata.labels))
  )
}
