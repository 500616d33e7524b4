import { quantityValue } from '../quantity.js'
import type { Pod } from '../types.js'

interface Resources {
  readonly limits?: Readonly<Record<string, string | number>>
  readonly requests?: Readonly<Record<string, string | number>>
}

/** Which pods a node out of memory ends first: the class by the CPU and memory of all containers (qos.GetPodQOS). */
export function qosClass({ spec }: Pod): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])]
  const stated = containers.map(({ resources = {} }) => resources as Resources)
  const names = ['cpu', 'memory']
  const isStated = ({ limits, requests }: Resources) =>
    names.some((name) => amount(limits?.[name]) > 0 || amount(requests?.[name]) > 0)
  const isGuaranteed = ({ limits, requests }: Resources) =>
    names.every((name) => {
      const limit = amount(limits?.[name])
      return limit > 0 && amount(requests?.[name] ?? limits?.[name]) === limit
    })
  if (!stated.some(isStated)) return 'BestEffort'
  return stated.every(isGuaranteed) ? 'Guaranteed' : 'Burstable'
}

/** No resources are as none stated. */
function amount(quantity: string | number | undefined): number {
  return quantity === undefined ? 0 : (quantityValue(String(quantity)) ?? 0)
}
