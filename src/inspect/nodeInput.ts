import { buildCluster } from '../cluster/cluster.js'
import { positionText, type LocatedObject } from '../cluster/manifests/locatedObject.js'
import { parseManifests, throwOnFaults } from '../cluster/manifests/manifests.js'
import { clusterNotices } from '../cluster/manifests/notices.js'
import { areStored } from '../cluster/stored.js'
import { withPlainAddresses } from '../cluster/storedAddresses.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { Cluster, EndpointSlice, KubeObject, Node, Service } from '../cluster/types.js'
import { parseDocuments } from '../cluster/yaml/documents.js'
import { InputError } from '../errors.js'
import { readText } from '../host/readText.js'
import { parseKubeProxyConfiguration } from '../agents/kubeProxy/parseConfig.js'
import type { KubeProxyConfiguration, ModeName } from '../agents/kubeProxy/config.js'
import { inputOfNode, type ProxyInput } from '../agents/kubeProxy/input.js'
import { defaultRanges } from '../net/addressRanges.js'

/** Options of the commands that compute one node's rules from files alone. */
export interface NodeOptions {
  readonly filename: readonly string[]
  readonly node?: string
  readonly config?: string
  readonly ignore: readonly string[]
  /** Overrides the mode of the configuration. */
  readonly mode?: ModeName
  /** The ranges of cluster IPs; those of labs by default. */
  readonly serviceCidrs?: readonly string[]
}

/**
 * Reads objects and configuration as the kube-proxy of one node gets them on a kernel without nfacct. Throws InputError for
 * a mode that is not in `known`, the modes that the command supports.
 */
export function readNodeInput(
  options: NodeOptions,
  known: readonly ModeName[],
): {
  input: ProxyInput
  notices: readonly string[]
} {
  const files = options.filename.map((path) => ({ path, text: readText(path) }))
  const { objects, notices } = parseManifests(files, { ignoreKinds: new Set(options.ignore) })
  const { config, ignored } = readConfiguration(options, known)
  const { cluster, notices: more } = clusterOf(objects)
  const { nodes, services, endpointSlices } = cluster
  const serviceCIDRs = options.serviceCidrs ?? Object.values(defaultRanges.services)
  const name = nodeName(options.node ?? config.hostnameOverride)
  return {
    input: inputOfNode(
      { nodes, services, endpointSlices, config, serviceCIDRs, localAddresses: {}, nfacct: false },
      findNode(nodes, name, options.filename),
    ),
    notices: [...ignored, ...notices, ...more],
  }
}

/** Uses objects of an API server unchanged; builds a cluster from manifests, as in a lab. */
function clusterOf(written: readonly LocatedObject[]): {
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
  const cluster = buildCluster(objects, { nodes, ranges: defaultRanges, families: ['IPv4', 'IPv6'] })
  return { cluster, notices: [builtNotice, ...clusterNotices(cluster, objects)] }
}

const builtNotice =
  'these objects are not from an API server: addresses, pods and EndpointSlices are created as in a lab'

/** `--family` as the types spell it. */
export function familyOf(option: 'ipv4' | 'ipv6'): IpFamily {
  return option === 'ipv6' ? 'IPv6' : 'IPv4'
}

function readConfiguration(
  { config: path, mode }: NodeOptions,
  known: readonly ModeName[],
): { readonly config: KubeProxyConfiguration; readonly ignored: readonly string[] } {
  const withMode = (config: KubeProxyConfiguration) => (mode === undefined ? config : { ...config, mode })
  const defaults = () => ({ config: withMode(parseKubeProxyConfiguration({}).config), ignored: [] })
  if (path === undefined) return defaults()
  const { documents, problems: syntax } = parseDocuments(path, readText(path))
  if (syntax.length > 0) throw new InputError(syntax)
  const [document, second] = documents
  if (second) {
    throw new InputError([
      { message: 'expected one document: the KubeProxyConfiguration', at: second.at([]) },
    ])
  }
  if (!document) return defaults()
  const raw = document.value
  if (typeof raw !== 'object' || Array.isArray(raw)) {
    throw new InputError([
      { message: 'expected the fields of a KubeProxyConfiguration', at: document.at([]) },
    ])
  }
  const { config, problems, notices } = parseKubeProxyConfiguration(raw)
  if (problems.length > 0) {
    throw new InputError(
      problems.map(({ path: at, message, hint }) => ({ message, at: document.at(at), hint })),
    )
  }
  const result = withMode(config)
  const ignored = notices.map(({ path: at, message }) => {
    return `${positionText(document.keyAt(at))}: kube-proxy ignores a field: ${message}`
  })
  if (known.includes(result.mode)) return { config: result, ignored }
  const modes = `${known.length === 1 ? 'mode' : 'modes'} ${known.join(' and ')}`
  const message = `mode: this command supports ${modes}, not ${result.mode}`
  throw new InputError([{ message, at: document.at(['mode']) }])
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
