import type { KubeObject } from '../cluster/types.js'

/** A resource of the API: where it is served, how discovery names it, what its fields default to. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  /** Field selector labels besides metadata.name and metadata.namespace, with the value of an unset field. */
  readonly fields: Readonly<Record<string, string>>
  /** What the Go type marshals to when nothing is set; bookmarks carry it. */
  readonly blank: Readonly<Record<string, unknown>>
}

const read = ['get', 'list', 'watch'] as const
const podTemplate = { metadata: {}, spec: { containers: null } }
const blankNodeStatus = {
  daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
  nodeInfo: {
    machineID: '',
    systemUUID: '',
    bootID: '',
    kernelVersion: '',
    osImage: '',
    containerRuntimeVersion: '',
    kubeletVersion: '',
    kubeProxyVersion: '',
    operatingSystem: '',
    architecture: '',
  },
}

/**
 * Everything that is served, in the order of discovery; the selectable fields are those of the registry
 * strategies of Kubernetes v1.36.
 */
export const resources: readonly Resource[] = [
  { ...of('', 'ConfigMap', 'configmaps', ['cm'], true), blank: {} },
  {
    ...of('', 'Event', 'events', ['ev'], true),
    verbs: ['create', ...read],
    fields: blankFields([
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
        (field) => `involvedObject.${field}`,
      ),
      ...['reason', 'reportingComponent', 'source', 'type'],
    ]),
    blank: { involvedObject: {}, source: {}, eventTime: null, reportingComponent: '', reportingInstance: '' },
  },
  {
    ...of('', 'Namespace', 'namespaces', ['ns'], false),
    fields: { 'status.phase': 'Active' },
    blank: { spec: {}, status: {} },
  },
  {
    ...of('', 'Node', 'nodes', ['no'], false),
    fields: { 'spec.unschedulable': 'false' },
    blank: { spec: {}, status: blankNodeStatus },
  },
  {
    ...of('', 'Pod', 'pods', ['po'], true),
    categories: ['all'],
    fields: {
      'spec.nodeName': '',
      'spec.restartPolicy': 'Always',
      'spec.schedulerName': 'default-scheduler',
      'spec.serviceAccountName': 'default',
      'spec.hostNetwork': 'false',
      'status.phase': '',
      'status.podIP': '',
      'status.nominatedNodeName': '',
    },
    blank: { spec: { containers: null }, status: {} },
  },
  { ...of('', 'Secret', 'secrets', [], true), fields: { type: '' }, blank: {} },
  {
    ...of('', 'Service', 'services', ['svc'], true),
    categories: ['all'],
    fields: { 'spec.clusterIP': '', 'spec.type': 'ClusterIP' },
    blank: { spec: {}, status: { loadBalancer: {} } },
  },
  {
    ...of('apps', 'DaemonSet', 'daemonsets', ['ds'], true),
    categories: ['all'],
    blank: {
      spec: { selector: null, template: podTemplate, updateStrategy: {} },
      status: {
        currentNumberScheduled: 0,
        numberMisscheduled: 0,
        desiredNumberScheduled: 0,
        numberReady: 0,
      },
    },
  },
  {
    ...of('apps', 'Deployment', 'deployments', ['deploy'], true),
    categories: ['all'],
    blank: { spec: { selector: null, template: podTemplate, strategy: {} }, status: {} },
  },
  {
    ...of('apps', 'ReplicaSet', 'replicasets', ['rs'], true),
    categories: ['all'],
    fields: { 'status.replicas': '0' },
    blank: { spec: { selector: null, template: podTemplate }, status: { replicas: 0 } },
  },
  {
    ...of('apps', 'StatefulSet', 'statefulsets', ['sts'], true),
    categories: ['all'],
    blank: {
      spec: { selector: null, template: podTemplate, updateStrategy: {} },
      status: { replicas: 0, availableReplicas: 0 },
    },
  },
  {
    ...of('events.k8s.io', 'Event', 'events', ['ev'], true),
    verbs: ['create', ...read],
    fields: blankFields([
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
        (field) => `regarding.${field}`,
      ),
      ...['reason', 'reportingController', 'type'],
    ]),
    blank: { eventTime: null, regarding: {}, deprecatedSource: {} },
  },
  { ...of('networking.k8s.io', 'IngressClass', 'ingressclasses', [], false), blank: { spec: {} } },
  {
    ...of('networking.k8s.io', 'Ingress', 'ingresses', ['ing'], true),
    blank: { spec: {}, status: { loadBalancer: {} } },
  },
  { ...of('networking.k8s.io', 'IPAddress', 'ipaddresses', ['ip'], false), blank: { spec: {} } },
  {
    ...of('networking.k8s.io', 'ServiceCIDR', 'servicecidrs', [], false),
    blank: { spec: {}, status: {} },
  },
  {
    ...of('discovery.k8s.io', 'EndpointSlice', 'endpointslices', [], true),
    blank: { addressType: '', endpoints: null, ports: null },
  },
  {
    ...of('gateway.networking.k8s.io', 'GatewayClass', 'gatewayclasses', ['gc'], false),
    categories: ['gateway-api'],
    blank: { spec: {} },
  },
  {
    ...of('gateway.networking.k8s.io', 'Gateway', 'gateways', ['gtw'], true),
    categories: ['gateway-api'],
    blank: { spec: {} },
  },
  {
    ...of('gateway.networking.k8s.io', 'HTTPRoute', 'httproutes', [], true),
    categories: ['gateway-api'],
    blank: { spec: {} },
  },
  {
    ...of('gateway.networking.k8s.io', 'GRPCRoute', 'grpcroutes', [], true),
    categories: ['gateway-api'],
    blank: { spec: {} },
  },
  {
    ...of('gateway.networking.k8s.io', 'TLSRoute', 'tlsroutes', [], true),
    categories: ['gateway-api'],
    blank: { spec: {} },
  },
  {
    ...of('gateway.networking.k8s.io', 'ReferenceGrant', 'referencegrants', ['refgrant'], true),
    categories: ['gateway-api'],
    blank: { spec: {} },
  },
]

function of(group: string, kind: string, plural: string, shortNames: readonly string[], namespaced: boolean) {
  const [version, singular] = ['v1', kind.toLowerCase()]
  return {
    group,
    version,
    plural,
    singular,
    kind,
    namespaced,
    shortNames,
    categories: [],
    verbs: read,
    fields: {},
  }
}

function blankFields(labels: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label) => [label, '']))
}

/** `group/version` of a resource, or just the version in the core group, as in `apiVersion`. */
export function apiVersionOf(resource: Pick<Resource, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
}

/** The resource at a path of the API, if it is served. */
export function findResource(group: string, version: string, plural: string): Resource | undefined {
  return resources.find(
    (resource) => resource.group === group && resource.version === version && resource.plural === plural,
  )
}

/** The resource that an object belongs to; undefined for kinds that are not served. */
export function resourceOf(object: Pick<KubeObject, 'apiVersion' | 'kind'>): Resource | undefined {
  return resources.find(
    (resource) => resource.kind === object.kind && apiVersionOf(resource) === object.apiVersion,
  )
}
