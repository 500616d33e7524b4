import type { Ingress } from '../../cluster/types.js'
import { ageColumn, column, nameColumn, type Column } from './column.js'

/** Most hosts that are listed by name. */
const mostHosts = 3

/** Columns of `kubectl get ingresses`; cells as printIngress of Kubernetes v1.36 writes them. */
export const ingressColumns: readonly Column<Ingress>[] = [
  nameColumn,
  column('Class', 'the class of controllers that serve it', ({ spec }) => spec.ingressClassName ?? '<none>'),
  column('Hosts', 'host names that its rules are for', hosts),
  column('Address', 'where clients reach it', ({ status }) =>
    (status?.loadBalancer?.ingress ?? [])
      .map(({ ip, hostname }) => ip ?? hostname ?? '')
      .filter((text) => text !== '')
      .join(','),
  ),
  column('Ports', 'ports that it is served on', ({ spec }) =>
    (spec.tls ?? []).length > 0 ? '80, 443' : '80',
  ),
  ageColumn,
]

// Once three are listed, the rules that are left count as more, with a host or without.
function hosts({ spec: { rules = [] } }: Ingress): string {
  const named = [...rules.entries()].filter(([, { host = '' }]) => host !== '').slice(0, mostHosts)
  if (named.length === 0) return '*'
  const [last = 0] = named.at(-1) ?? []
  const more = named.length === mostHosts && last < rules.length - 1
  const list = named.map(([, { host }]) => host).join(',')
  return more ? `${list} + ${rules.length - mostHosts} more...` : list
}
