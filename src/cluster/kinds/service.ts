import { serviceWarnings, statusWarnings } from '../warnings/service.js'
import { ageColumn, column, nameColumn, wideColumn } from '../columns/column.js'
import { labelsText } from '../columns/selectorText.js'
import { defaultService, withClusterIPs } from '../defaults/service.js'
import { serviceSchema } from '../schema/service.js'
import type { Service } from '../types.js'
import { validateService } from '../validation/service.js'
import { defineKind } from './kind.js'

/** Service of core/v1; columns as printService of Kubernetes v1.36 writes them. */
export const service = defineKind<Service>({
  group: '',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  list: 'services',
  schema: serviceSchema,
  setDefaults: defaultService,
  validate: () => [],
  validateCreate: (service) => validateService(withClusterIPs(service)),
  warnings: serviceWarnings,
  statusWarnings,
  canonicalize: withAddressMode,
  statusOf: ({ status }) => ({ loadBalancer: {}, ...status }),
  fields: { 'spec.clusterIP': '', 'spec.type': 'ClusterIP' },
  blank: { spec: {}, status: { loadBalancer: {} } },
  columns: [
    nameColumn,
    column('Type', 'how the Service is exposed', ({ spec }) => spec.type ?? 'ClusterIP'),
    column(
      'Cluster-IP',
      'address inside the cluster',
      ({ spec }) => spec.clusterIPs?.[0] ?? spec.clusterIP ?? '<none>',
    ),
    column('External-IP', 'addresses for clients outside the cluster', externalIP),
    column('Port(s)', 'ports, with node ports where there are any', ports),
    ageColumn,
    wideColumn('Selector', 'labels of the pods that the Service selects', ({ spec }) =>
      labelsText(spec.selector),
    ),
  ],
})

/** An address of a load balancer is, by default, one that packets are sent to (SetDefaults_Service). */
function withAddressMode(service: Service): Service {
  const { ingress } = service.status?.loadBalancer ?? {}
  if (ingress === undefined || service.spec.type !== 'LoadBalancer') return service
  const filled = ingress.map((one) => (one.ip === undefined ? one : { ipMode: 'VIP' as const, ...one }))
  return { ...service, status: { ...service.status, loadBalancer: { ingress: filled } } }
}

function externalIP({ spec, status }: Service): string {
  if (spec.type === 'ExternalName') return spec.externalName ?? ''
  const external = spec.externalIPs ?? []
  if (spec.type !== 'LoadBalancer') return external.join(',') || '<none>'
  const ingress = status?.loadBalancer?.ingress ?? []
  const given = ingress.map(({ ip, hostname }) => ip ?? hostname ?? '').filter((text) => text !== '')
  return [...[...new Set(given)].sort(), ...external].join(',') || '<pending>'
}

function ports({ spec }: Service): string {
  const texts = (spec.ports ?? []).map(({ port, nodePort, protocol = 'TCP' }) =>
    nodePort === undefined || nodePort === 0 ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`,
  )
  return texts.join(',') || '<none>'
}
