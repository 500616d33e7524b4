import { matchesLabels } from './selectors.js'
import type { KubeObject, Pod, Service } from './types.js'

type Labels = Readonly<Record<string, string>>

function labelKey(namespace: string | undefined, key: string, value: string): string {
  return `${namespace ?? ''}\n${key}\n${value}`
}

/** Pods by namespace and label: finding a Service's pods does not scan all of them. */
export class PodIndex {
  readonly #byLabel = new Map<string, Pod[]>()

  constructor(pods: readonly Pod[]) {
    for (const pod of pods)
      for (const [key, value] of Object.entries(pod.metadata.labels ?? {}))
        append(this.#byLabel, labelKey(pod.metadata.namespace, key, value), pod)
  }

  /** The pods that a non-empty selector selects, in the order of the snapshot. */
  select(namespace: string | undefined, selector: Labels): readonly Pod[] {
    let fewest: readonly Pod[] | undefined
    for (const [key, value] of Object.entries(selector)) {
      const pods = this.#byLabel.get(labelKey(namespace, key, value)) ?? []
      if (fewest === undefined || pods.length < fewest.length) fewest = pods
    }
    return (fewest ?? []).filter((pod) => matchesLabels(selector, pod.metadata.labels))
  }
}

/** Services by one pair of their selector: finding a pod's Services does not scan all of them. */
export class ServiceIndex {
  readonly #byPair = new Map<string, Service[]>()

  constructor(services: readonly Service[]) {
    for (const service of services) {
      // One pair is enough: a pod that matches the whole selector has that pair too.
      const [pair] = Object.entries(service.spec.selector ?? {})
      if (pair !== undefined && service.spec.type !== 'ExternalName')
        append(this.#byPair, labelKey(service.metadata.namespace, ...pair), service)
    }
  }

  /** The Services whose selector selects the pod. */
  selecting(pod: KubeObject): readonly Service[] {
    const { labels = {}, namespace } = pod.metadata
    return Object.entries(labels)
      .flatMap(([key, value]) => this.#byPair.get(labelKey(namespace, key, value)) ?? [])
      .filter((service) => matchesLabels(service.spec.selector ?? {}, labels))
  }
}

function append<Item>(index: Map<string, Item[]>, key: string, item: Item): void {
  const items = index.get(key)
  if (items === undefined) index.set(key, [item])
  else items.push(item)
}
