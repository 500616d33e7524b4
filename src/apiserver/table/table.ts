import type { KubeObject } from '../../cluster/types.js'
import { resourceOf, type Resource } from '../resources.js'
import { ageColumn, nameColumn, type Column } from './column.js'
import { configMapColumns } from './configMapTable.js'
import { daemonSetColumns } from './daemonSetTable.js'
import { deploymentColumns } from './deploymentTable.js'
import { endpointSliceColumns } from './endpointSliceTable.js'
import { eventColumns } from './eventTable.js'
import { gatewayClassColumns, gatewayColumns, routeColumns } from './gatewayTables.js'
import { ingressClassColumns } from './ingressClassTable.js'
import { ingressColumns } from './ingressTable.js'
import { ipAddressColumns } from './ipAddressTable.js'
import { namespaceColumns } from './namespaceTable.js'
import { nodeColumns } from './nodeTable.js'
import { podColumns, podRowConditions } from './podTable.js'
import { replicaSetColumns } from './replicaSetTable.js'
import { serviceCidrColumns } from './serviceCidrTable.js'
import { secretColumns } from './secretTable.js'
import { serviceColumns } from './serviceTable.js'
import { statefulSetColumns } from './statefulSetTable.js'

/** How much of the object each row carries beside its cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

/** What a Table is made with; `resource` names the columns when there are no rows to tell. */
export interface TableForm {
  readonly version: string
  readonly include: IncludeObject
  readonly now: () => Date
  readonly resource?: Resource
}

/** metav1.Table of objects of one resource. */
export function tableOf(
  objects: readonly KubeObject[],
  metadata: Readonly<Record<string, unknown>>,
  form: TableForm,
  withDefinitions: boolean,
): unknown {
  const resource = form.resource ?? (objects[0] && resourceOf(objects[0]))
  const columns = columnsOf(resource)
  const now = form.now()
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${form.version}`,
    metadata,
    columnDefinitions: withDefinitions ? columns.map(definition) : null,
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => (isNamed(object) ? cell(object, now) : '')),
      ...podRowConditions(object),
      object: rowObject(object, form),
    })),
  }
}

/** metav1.TableColumnDefinition of a column. */
function definition({ name, type, format, description, priority }: Column): unknown {
  return { name, type, format, description, priority }
}

/** False for the object of a bookmark, which has nothing to print. */
function isNamed(object: KubeObject): boolean {
  return (object.metadata as Partial<KubeObject['metadata']>).name !== undefined
}

function rowObject(object: KubeObject, { include, version }: TableForm): unknown {
  if (include === 'None') return null
  if (include === 'Object') return object
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata }
}

function columnsOf(resource: Resource | undefined): readonly Column[] {
  switch (resource?.plural) {
    case 'services':
      return anyKind(serviceColumns)
    case 'pods':
      return anyKind(podColumns)
    case 'nodes':
      return anyKind(nodeColumns)
    case 'endpointslices':
      return anyKind(endpointSliceColumns)
    case 'deployments':
      return anyKind(deploymentColumns)
    case 'replicasets':
      return anyKind(replicaSetColumns)
    case 'statefulsets':
      return anyKind(statefulSetColumns)
    case 'daemonsets':
      return anyKind(daemonSetColumns)
    case 'configmaps':
      return anyKind(configMapColumns)
    case 'ingresses':
      return anyKind(ingressColumns)
    case 'ingressclasses':
      return anyKind(ingressClassColumns)
    case 'gatewayclasses':
      return anyKind(gatewayClassColumns)
    case 'gateways':
      return anyKind(gatewayColumns)
    case 'httproutes':
    case 'grpcroutes':
    case 'tlsroutes':
      return anyKind(routeColumns)
    case 'secrets':
      return anyKind(secretColumns)
    case 'namespaces':
      return anyKind(namespaceColumns)
    case 'servicecidrs':
      return anyKind(serviceCidrColumns)
    case 'ipaddresses':
      return anyKind(ipAddressColumns)
    case 'events':
      return anyKind(eventColumns)
    default:
      return [nameColumn, ageColumn]
  }
}

/** The store keeps kinds apart, so that a resource's columns only meet objects of its kind. */
function anyKind<Kind extends KubeObject>(columns: readonly Column<Kind>[]): readonly Column[] {
  return columns as readonly Column<never>[] as readonly Column[]
}
