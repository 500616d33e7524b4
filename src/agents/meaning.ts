/** A field of a Kubernetes object. */
export interface ObjectField {
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
  /** `spec.ports[0].nodePort`; absent for the whole object. */
  readonly field?: string | undefined
  /** The name of the port of a Service that the field is in, if it has one. */
  readonly port?: string | undefined
}

/** Who wrote a rule, an element of a set or a virtual server, and why. */
export interface Meaning {
  /** The program: `kube-proxy`, `CNI plugin`. */
  readonly owner?: string | undefined
  /** Why it exists, with the Kubernetes field behind it. */
  readonly why?: string | undefined
  /** The port of a Service, or the pod, that it is for; absent for what every node has. */
  readonly object?: ObjectField | undefined
}

/** A rule as its tool lists it, and its meaning. */
export interface RuleMeaning extends Meaning {
  readonly spec: string
}

/** `default/web:http`, as kube-proxy names the port of a Service; `default/web` for other objects. */
export function fieldName({ namespace, name, port }: ObjectField): string {
  return `${namespace === undefined ? '' : `${namespace}/`}${name}${port === undefined ? '' : `:${port}`}`
}

/** The owners of what agents write. */
export const kubeProxy = 'kube-proxy'
export const cniPlugin = 'CNI plugin'
/** Its chains are those of the network policy controller of kube-router. */
export const networkPolicyAgent = 'kube-router'

/** Whether this program writes the rules that a node of a cluster needs. */
export function isAgent(owner: string | undefined): boolean {
  return owner === kubeProxy || owner === cniPlugin
}
