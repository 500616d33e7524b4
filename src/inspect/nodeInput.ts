import { buildCluster } from '../cluster/cluster.js'
import { positionText, type LocatedObject } from '../cluster/manifests/locatedObject.js'
import { parseManifests, throwOnFaults } from '../cluster/manifests/manifests.js'
import { clusterNotices } from '../cluster/manifests/notices.js'
import { areStored } from '../cluster/stored.js'
import { withPlainAddresses } from '../cluster/storedAddresses.js'
import { familyOf as ipFamily, type IpFamily } from '../net/ipFamily.js'
import type { Cluster, EndpointSlice, KubeObject, Node, Service } from '../cluster/types.js'
import { parseDocuments } from '../cluster/yaml/documents.js'
import { InputError } from '../errors.js'
import { readText } from '../host/readText.js'
import { missingKind, parseKubeProxyConfiguration } from '../agents/kubeProxy/parseConfig.js'
import type { KubeProxyConfiguration, ModeName } from '../agents/kubeProxy/config.js'
import { inputOfNode, type ProxyInput } from '../agents/kubeProxy/input.js'
import { readVersionText, whyNotKnown } from '../agents/kubeProxy/versions/known.js'
import { versionNotices } from '../agents/kubeProxy/versions/notices.js'
import { defaultVersion } from '../agents/kubeProxy/versions/version.js'
import { defaultRanges } from '../net/addressRanges.js'

/** Options of the commands that compute one node's rules from files alone. */
export interface NodeOptions {
  readonly filename: readonly string[]
  readonly node?: string
  readonly config?: string
  readonly ignore: readonly string[]
  /** Overrides the mode of the configuration. */
  readonly mode?: ModeName
  /** Of the kube-proxy: `1.30`; 1.36 by default. */
  readonly kubeProxyVersion?: string
  /** The ranges of cluster IPs; those of labs by default. */
  readonly serviceCidrs?: readonly string[]
}

/** Reads objects and configuration as the kube-proxy of one node gets them on a kernel without nfacct. Throws InputError. */
export function readNodeInput(options: NodeOptions): {
  input: ProxyInput
  notices: readonly string[]
} {
  const files = options.filename.map((path) => ({ path, text: readText(path) }))
  const { objects, notices } = parseManifests(files, { ignoreKinds: new Set(options.ignore) })
  const { config, ignored, isDefaultMode } = readConfiguration(options)
  const { cluster, notices: more } = clusterOf(objects, options.serviceCidrs)
  const { nodes, services, endpointSlices } = cluster
  const serviceCIDRs = options.serviceCidrs ?? Object.values(defaultRanges.services)
  const name = nodeName(options.node ?? config.hostnameOverride)
  return {
    input: inputOfNode(
      { nodes, services, endpointSlices, config, serviceCIDRs, localAddresses: {}, nfacct: false },
      findNode(nodes, name, options.filename),
    ),
    notices: [...ignored, ...versionNotices(config, services, { isDefaultMode }), ...notices, ...more],
  }
}

/** Uses objects of an API server unchanged; builds a cluster from manifests, as in a lab. */
function clusterOf(
  written: readonly LocatedObject[],
  serviceCidrs: readonly string[] = [],
): {
  cluster: Pick<Cluster, 'nodes' | 'services' | 'endpointSlices'>
  notices: readonly string[]
} {
  const stored = areStored(written)
  const objects = stored ? written.map(withPlainAddresses) : written
  const ofKind = <T extends KubeObject>(kind: T['kind']) =>
    objects.filter(({ object }) => object.kind === kind).map(({ object }) => object as T)
  if (stored) {
    throwOnFaults(objects)
    const cluster = {
      nodes: ofKind<Node>('Node'),
      services: ofKind<Service>('Service'),
      endpointSlices: ofKind<EndpointSlice>('EndpointSlice'),
    }
    return { cluster, notices: [] }
  }
  const nodes = ofKind('Node').length > 0 ? [] : ['node-a', 'node-b'].map((name) => ({ name, labels: {} }))
  const services = { ...defaultRanges.services }
  for (const cidr of serviceCidrs.toReversed()) services[ipFamily(cidr)] = cidr
  const ranges = { ...defaultRanges, services }
  const cluster = buildCluster(objects, { nodes, ranges, families: ['IPv4', 'IPv6'] })
  return { cluster, notices: [builtNotice, ...clusterNotices(cluster, objects)] }
}

const builtNotice =
  'these objects are not from an API server: addresses, pods and EndpointSlices are created as in a lab'

/** `--family` as the types spell it. */
export function familyOf(option: 'ipv4' | 'ipv6'): IpFamily {
  return option === 'ipv6' ? 'IPv6' : 'IPv4'
}

interface ReadConfiguration {
  readonly config: KubeProxyConfiguration
  readonly ignored: readonly string[]
  /** Whether neither an option nor the configuration sets the mode. */
  readonly isDefaultMode: boolean
}

/** The configuration in a file; without one that of kube-proxy by default. Throws InputError. */
export function readConfiguration({
  config: path,
  mode,
  kubeProxyVersion,
}: {
  readonly [Key in 'config' | 'mode' | 'kubeProxyVersion']?: NodeOptions[Key] | undefined
}): ReadConfiguration {
  const version = readVersionText(kubeProxyVersion) ?? defaultVersion
  const withMode = (config: KubeProxyConfiguration) => (mode === undefined ? config : { ...config, mode })
  const checked = (read: ReadConfiguration) => {
    const message = whyNotKnown(read.config)
    if (message !== undefined) throw new InputError([{ message }])
    return read
  }
  const defaults = () =>
    checked({
      config: withMode(parseKubeProxyConfiguration({}, version).config),
      ignored: [],
      isDefaultMode: mode === undefined,
    })
  if (path === undefined) return defaults()
  const text = readText(path)
  const { documents, problems: syntax } = parseDocuments(path, text)
  if (syntax.length > 0) throw new InputError(syntax)
  const [document, second] = documents
  if (second) {
    throw new InputError([
      { message: 'expected one document: the KubeProxyConfiguration', at: second.at([]) },
    ])
  }
  const raw = document?.value ?? {}
  if (typeof raw !== 'object' || Array.isArray(raw)) {
    throw new InputError([
      { message: 'expected the fields of a KubeProxyConfiguration', at: document?.at([]) },
    ])
  }
  const missing = missingKind(raw, text)
  if (document === undefined || missing !== undefined)
    throw new InputError([
      {
        message: missing ?? '',
        at: document?.at([]) ?? { file: path, line: 1, column: 1 },
        hint: 'apiVersion: kubeproxy.config.k8s.io/v1alpha1, kind: KubeProxyConfiguration',
      },
    ])
  const { config, problems, notices } = parseKubeProxyConfiguration(raw, version)
  if (problems.length > 0) {
    throw new InputError(
      problems.map(({ path: at, message, hint }) => ({ message, at: document.at(at), hint })),
    )
  }
  const result = withMode(config)
  const ignored = notices.map(({ path: at, message }) => {
    return `${positionText(document.keyAt(at))}: kube-proxy ignores a field: ${message}`
  })
  return checked({
    config: result,
    ignored,
    isDefaultMode: mode === undefined && raw['mode'] === undefined,
  })
}

/** A node's name as kube-proxy uses it: trimmed, in lower case. */
function nodeName(text: string): string | undefined {
  const name = text.trim().toLowerCase()
  return name === '' ? undefined : name
}

/** The name of a Node among these. Throws InputError. */
function findNode(nodes: readonly Node[], name: string | undefined, files: readonly string[]): string {
  const names = nodes.map((node) => node.metadata.name)
  const known =
    names.length === 0 ? `${files.join(', ')} has no Node` : `nodes in the objects: ${names.join(', ')}`
  if (name === undefined) throw new InputError([{ message: 'name the node with --node', hint: known }])
  if (!names.includes(name)) throw new InputError([{ message: `no Node "${name}"`, hint: known }])
  return name
}
