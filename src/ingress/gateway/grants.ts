import type { Cluster } from '../../cluster/types.js'

/** An object that another object refers to. */
export interface Target {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

/** Whether an object may refer to another: always in its own namespace, otherwise with a ReferenceGrant in the other one. */
export function isGranted(
  { referenceGrants = [] }: Cluster,
  from: { readonly kind: string; readonly namespace: string },
  to: Target,
): boolean {
  if (from.namespace === to.namespace) return true
  return referenceGrants.some(
    ({ metadata, spec }) =>
      (metadata.namespace ?? 'default') === to.namespace &&
      spec.from.some(
        ({ group, kind, namespace }) =>
          group === 'gateway.networking.k8s.io' && kind === from.kind && namespace === from.namespace,
      ) &&
      spec.to.some(
        ({ group, kind, name = '' }) =>
          group === to.group && kind === to.kind && (name === '' || name === to.name),
      ),
  )
}
