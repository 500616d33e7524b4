/** A kind of objects that `vethlab collect` reads, and the fields of it that leave the cluster. */
interface CollectedKind {
  /** As kubectl takes it. */
  readonly resource: string
  readonly kind: string
  readonly apiVersion: string
  /** Templates of Go, each for one field. */
  readonly fields: readonly string[]
  /** Options of `kubectl get` in place of `--all-namespaces`. */
  readonly options?: string
}

/** A field as it is, if the object has it. */
function field(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1)
  return String.raw`{{with ${path}}}  ${name}: {{template "v" .}},{{"\n"}}{{end}}`
}

/** A field of booleans, which can be false. */
function flag(parent: string, name: string): string {
  return String.raw`{{with ${parent}}}{{if eq (printf "%T" .${name}) "bool"}}  ${name}: {{.${name}}},{{"\n"}}{{end}}{{end}}`
}

/** A part of an object: its name, and the fields in it. */
function part(name: string, ...fields: readonly string[]): string {
  return String.raw`${name}: {{"{\n"}}${fields.join('')}  {{"}\n"}}`
}

/** A part with everything in it. */
function whole(name: string): string {
  return String.raw`{{with .${name}}}${name}: {{template "v" .}}{{"\n"}}{{end}}`
}

const conditions = String.raw`{{with .status.conditions}}  conditions: [{{range .}}{type: {{.type}}, status: {{printf "%q" .status}}}, {{end}}],{{"\n"}}{{end}}`

/** Of each container only its name and its ports: no environment, command or image. */
const containers = String.raw`{{with .spec.containers}}  containers: [{{range .}}{name: {{printf "%q" .name}}, image: hidden{{with .ports}}, ports: {{template "v" .}}{{end}}}, {{end}}],{{"\n"}}{{end}}`

const serviceSpec = [
  ...[
    'type',
    'clusterIP',
    'clusterIPs',
    'ipFamilies',
    'ipFamilyPolicy',
    'ports',
    'selector',
    'externalIPs',
  ].map(ofSpec),
  ...[
    'loadBalancerIP',
    'loadBalancerSourceRanges',
    'loadBalancerClass',
    'healthCheckNodePort',
    'externalName',
  ].map(ofSpec),
  ...['externalTrafficPolicy', 'internalTrafficPolicy', 'trafficDistribution'].map(ofSpec),
  ...['sessionAffinity', 'sessionAffinityConfig'].map(ofSpec),
  ...['publishNotReadyAddresses', 'allocateLoadBalancerNodePorts'].map((name) => flag('.spec', name)),
]

function ofSpec(name: string): string {
  return field(`.spec.${name}`)
}

/** The kinds, without Secrets, annotations, environments and logs. Of the ConfigMaps only the configuration of kube-proxy. */
export const collectedKinds: readonly CollectedKind[] = [
  {
    resource: 'services',
    kind: 'Service',
    apiVersion: 'v1',
    fields: [part('spec', ...serviceSpec), whole('status')],
  },
  {
    resource: 'endpoints',
    kind: 'Endpoints',
    apiVersion: 'v1',
    fields: [whole('subsets')],
  },
  {
    resource: 'endpointslices.discovery.k8s.io',
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    fields: ['addressType', 'endpoints', 'ports'].map(whole),
  },
  {
    resource: 'pods',
    kind: 'Pod',
    apiVersion: 'v1',
    fields: [
      part('spec', field('.spec.nodeName'), flag('.spec', 'hostNetwork'), containers),
      part(
        'status',
        ...['.status.phase', '.status.podIP', '.status.podIPs', '.status.hostIP'].map(field),
        conditions,
      ),
    ],
  },
  {
    resource: 'nodes',
    kind: 'Node',
    apiVersion: 'v1',
    fields: [
      part(
        'spec',
        field('.spec.podCIDR'),
        field('.spec.podCIDRs'),
        field('.spec.taints'),
        flag('.spec', 'unschedulable'),
      ),
      part('status', field('.status.addresses'), conditions, field('.status.nodeInfo')),
    ],
    options: '',
  },
  {
    resource: 'networkpolicies.networking.k8s.io',
    kind: 'NetworkPolicy',
    apiVersion: 'networking.k8s.io/v1',
    fields: [whole('spec')],
  },
  {
    resource: 'clusternetworkpolicies.policy.networking.k8s.io',
    kind: 'ClusterNetworkPolicy',
    apiVersion: 'policy.networking.k8s.io/v1alpha2',
    fields: [whole('spec')],
    options: '',
  },
  {
    resource: 'ingresses.networking.k8s.io',
    kind: 'Ingress',
    apiVersion: 'networking.k8s.io/v1',
    fields: [whole('spec')],
  },
  {
    resource: 'servicecidrs.networking.k8s.io',
    kind: 'ServiceCIDR',
    apiVersion: 'networking.k8s.io/v1',
    fields: [whole('spec')],
    options: '',
  },
  {
    resource: 'configmaps',
    kind: 'ConfigMap',
    apiVersion: 'v1',
    fields: [
      part(
        'data',
        String.raw`{{with .data}}{{with index . "config.conf"}}  config.conf: {{template "v" .}},{{"\n"}}{{end}}{{end}}`,
      ),
    ],
    options: '--namespace kube-system --field-selector metadata.name=kube-proxy',
  },
]

/** Prints any value as YAML in one line. */
const anyValue = String.raw`{{define "v"}}{{$t := printf "%T" .}}{{if eq $t "map[string]interface {}"}}{{"{"}}{{$n := false}}{{range $k, $v := .}}{{if $n}}, {{end}}{{$n = true}}{{printf "%q" $k}}: {{template "v" $v}}{{end}}{{"}"}}{{else if eq $t "[]interface {}"}}[{{range $i, $v := .}}{{if $i}}, {{end}}{{template "v" $v}}{{end}}]{{else if eq $t "string"}}{{printf "%q" .}}{{else if eq $t "<nil>"}}null{{else}}{{.}}{{end}}{{end}}`

/** The template of Go by which kubectl prints objects of a kind as YAML, with the fields of the list only. */
export function templateOf({ kind, apiVersion, fields }: CollectedKind): string {
  const metadata = part(
    'metadata',
    ...['name', 'namespace', 'labels', 'creationTimestamp', 'deletionTimestamp'].map((name) =>
      field(`.metadata.${name}`),
    ),
  )
  const start = String.raw`{{range .items}}---{{"\n"}}apiVersion: ${apiVersion}{{"\n"}}kind: ${kind}{{"\n"}}`
  return `${anyValue}${start}${metadata}${fields.join('')}{{end}}`
}
