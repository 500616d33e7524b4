import {
  bool,
  int32,
  list,
  map,
  pointer,
  quantity,
  string,
  strings,
  struct,
  type Schema,
  type StructSchema,
} from '../../cluster/schema/field.js'

/** Read after the rest, by `durationFields`. */
const duration: Schema = { kind: 'any', shape: 'any', goType: 'string' }

/** The options of one format of the log. */
const formatOptions = { splitStream: bool, infoBufferSize: quantity }

const verbosity: Schema = { kind: 'uint32', goType: 'v1.VerbosityLevel' }

/** LoggingConfiguration of component-base/logs/api/v1. */
const logging = struct('LoggingConfiguration', {
  format: string,
  flushFrequency: duration,
  verbosity,
  vmodule: list(
    struct('VModuleItem', { filePattern: string, verbosity: { kind: 'uint32', goType: 'uint32' } }, [
      'filePattern',
      'verbosity',
    ]),
  ),
  options: struct('FormatOptions', {
    text: struct('TextOptions', formatOptions),
    json: struct('JSONOptions', formatOptions),
  }),
})

const timing = { syncPeriod: duration, minSyncPeriod: duration }

/** The fields of KubeProxyConfiguration v1alpha1; mirrors staging/src/k8s.io/kube-proxy/config/v1alpha1/types.go. */
export const configSchema: StructSchema = section('KubeProxyConfiguration', {
  apiVersion: string,
  kind: string,
  featureGates: map(bool),
  clientConnection: section('ClientConnectionConfiguration', {
    kubeconfig: string,
    acceptContentTypes: string,
    contentType: string,
    qps: { kind: 'float32', goType: 'float32' },
    burst: int32,
  }),
  logging,
  hostnameOverride: string,
  bindAddress: string,
  healthzBindAddress: string,
  metricsBindAddress: string,
  bindAddressHardFail: bool,
  enableProfiling: bool,
  showHiddenMetricsForVersion: string,
  mode: named('ProxyMode'),
  iptables: section('KubeProxyIPTablesConfiguration', {
    masqueradeBit: pointer(int32),
    masqueradeAll: bool,
    localhostNodePorts: pointer(bool),
    ...timing,
  }),
  ipvs: section('KubeProxyIPVSConfiguration', {
    ...timing,
    scheduler: string,
    excludeCIDRs: strings,
    strictARP: bool,
    tcpTimeout: duration,
    tcpFinTimeout: duration,
    udpTimeout: duration,
  }),
  nftables: section('KubeProxyNFTablesConfiguration', {
    masqueradeBit: pointer(int32),
    masqueradeAll: bool,
    ...timing,
  }),
  winkernel: section('KubeProxyWinkernelConfiguration', {
    networkName: string,
    sourceVip: string,
    enableDSR: bool,
    rootHnsEndpointName: string,
    forwardHealthCheckVip: bool,
  }),
  detectLocalMode: named('LocalMode'),
  detectLocal: section('DetectLocalConfiguration', { bridgeInterface: string, interfaceNamePrefix: string }),
  clusterCIDR: string,
  nodePortAddresses: strings,
  oomScoreAdj: pointer(int32),
  conntrack: section('KubeProxyConntrackConfiguration', {
    maxPerCore: pointer(int32),
    min: pointer(int32),
    tcpEstablishedTimeout: duration,
    tcpCloseWaitTimeout: duration,
    tcpBeLiberal: bool,
    udpTimeout: duration,
    udpStreamTimeout: duration,
  }),
  configSyncPeriod: duration,
  portRange: string,
  windowsRunAsService: bool,
})

/** Durations whose `null` means unset: pointers in Go. `null` is an error in the others. */
const pointers = new Set(['conntrack.tcpEstablishedTimeout', 'conntrack.tcpCloseWaitTimeout'])

/** A field that contains a duration. */
export interface DurationField {
  readonly path: readonly string[]
  /** The Go struct that it is a field of. */
  readonly structName: string
  readonly canBeNull: boolean
}

/** Every duration of the schema. */
export const durationFields: readonly DurationField[] = Object.entries(configSchema.fields).flatMap(
  ([name, field]) =>
    (field === duration
      ? [{ path: [name], structName: configSchema.name }]
      : field.kind === 'struct'
        ? Object.keys(field.fields)
            .filter((inner) => field.fields[inner] === duration)
            .map((inner) => ({ path: [name, inner], structName: field.name }))
        : []
    ).map((found) => ({ ...found, canBeNull: pointers.has(found.path.join('.')) })),
)

function section(name: string, fields: Readonly<Record<string, Schema>>): StructSchema {
  return { ...struct(name, fields), goType: `v1alpha1.${name}` }
}

function named(name: string): Schema {
  return { kind: 'string', goType: `v1alpha1.${name}` }
}
