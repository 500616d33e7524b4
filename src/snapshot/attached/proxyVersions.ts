import type { Cluster } from '../../cluster/types.js'
import type { PrintedNode } from '../../cluster/kinds/node.js'
import type { MinorVersion } from '../../agents/kubeProxy/versions/version.js'

/** The version of the kube-proxy of a node, and what shows it. */
export interface ProxyVersion {
  readonly node: string
  readonly version: MinorVersion
  readonly by: 'image' | 'node'
  /** The pod of kube-proxy, if its image shows the version. */
  readonly pod?: string | undefined
}

/** By the images of kube-proxy's pods, or else by what nodes report: distributions whose kubelet runs kube-proxy have no such pod. */
export function proxyVersions({ pods, nodes }: Pick<Cluster, 'pods' | 'nodes'>): ProxyVersion[] {
  const byImage = pods.flatMap(({ metadata: { namespace, name }, spec }): ProxyVersion[] => {
    if (namespace !== 'kube-system' || !name.startsWith('kube-proxy')) return []
    const minor = spec.containers.flatMap(({ image = '' }) => /:v?1\.(\d+)\.\d+/.exec(image)?.[1] ?? [])[0]
    const { nodeName = name } = spec
    return minor === undefined ? [] : [{ node: nodeName, version: Number(minor), by: 'image', pod: name }]
  })
  const shown = new Set(byImage.map(({ node }) => node))
  const byNode = nodes.flatMap(({ metadata: { name }, ...node }): ProxyVersion[] => {
    const { status } = node as PrintedNode
    const minor = /^v?1\.(\d+)\./.exec(status?.nodeInfo?.kubeletVersion ?? '')?.[1]
    return minor === undefined || shown.has(name) ? [] : [{ node: name, version: Number(minor), by: 'node' }]
  })
  return [...byImage, ...byNode]
}
