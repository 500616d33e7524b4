import { namespacedName } from '../../../cluster/namespacedName.js'
import type { GatewayRoute, ReferenceGrant } from '../../../cluster/types/gateway.js'
import type { Cluster } from '../../../cluster/types.js'
import { isGranted } from '../../../ingress/gateway/grants.js'
import type { Describer } from '../describer.js'
import { namespaceOf } from './conditionText.js'

/** A ReferenceGrant: who may reference what, and the objects that do. */
export const referenceGrantDescriber: Describer<ReferenceGrant> = {
  kind: 'ReferenceGrant',
  needs: ['gateways', 'listenersets', 'httproutes', 'grpcroutes', 'tlsroutes'],
  allNamespaces: true,
  describe(grant, cluster) {
    const { from, to } = grant.spec
    const users = usersOf(cluster, grant)
    return {
      fields: [
        ['Lets', from.map(({ kind, namespace }) => `${kind}s of namespace ${namespace}`)],
        ['Use', to.map(({ kind, name = '' }) => targetText(kind, name, namespaceOf(grant)))],
        ['Used By', users.length === 0 ? '<none> (no allowed object references these)' : users],
      ],
      sections: [],
    }
  },
}

function targetText(kind: string, name: string, namespace: string): string {
  return name === '' ? `every ${kind} of namespace ${namespace}` : `${kind} ${namespace}/${name}`
}

/** The objects of other namespaces whose references this grant allows. */
function usersOf(cluster: Cluster, grant: ReferenceGrant): string[] {
  const alone = { ...cluster, referenceGrants: [grant] }
  const { gateways = [], listenerSets = [], httpRoutes = [], grpcRoutes = [], tlsRoutes = [] } = cluster
  const routes: readonly GatewayRoute[] = [...httpRoutes, ...grpcRoutes, ...tlsRoutes]
  const named = [
    ...[...gateways, ...listenerSets].map((one) => ({
      one,
      refs: one.spec.listeners
        .flatMap(({ tls }) => tls?.certificateRefs ?? [])
        .map((ref) => ({ group: '', kind: 'Secret', ...ref })),
    })),
    ...routes.map((one) => ({
      one,
      refs: (one.spec.rules ?? [])
        .flatMap(({ backendRefs = [] }) => backendRefs)
        .map((ref) => ({ group: '', kind: 'Service', ...ref })),
    })),
  ]
  return named
    .filter(({ one, refs }) => {
      const from = { kind: one.kind, namespace: namespaceOf(one) }
      return refs.some(
        ({ group, kind, name, namespace = from.namespace }) =>
          namespace !== from.namespace && isGranted(alone, from, { group, kind, namespace, name }),
      )
    })
    .map(({ one }) => `${one.kind} ${namespacedName(one)}`)
}
