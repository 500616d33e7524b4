import type { Cluster } from '../cluster/types.js'

/** Finds the position of a Service's port in its spec, from 0, by `namespace/name:port`. */
export function portIndexOf({ services }: Pick<Cluster, 'services'>) {
  const positions = new Map(
    services.flatMap(({ metadata, spec }) =>
      (spec.ports ?? []).map(({ name }, index) => [
        `${metadata.namespace}/${metadata.name}${name === undefined ? '' : `:${name}`}`,
        index,
      ]),
    ),
  )
  return (servicePort: string): number | undefined => positions.get(servicePort)
}
