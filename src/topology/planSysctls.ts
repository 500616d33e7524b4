import type { IpFamily } from '../net/ipFamily.js'
import type { NodePlace, Topology, Place, PlannedCommand, SandboxFile, Stage } from './types.js'
import { namespaceSysctls, type NamespaceKind, type Sysctls } from './sysctls.js'

const folder = '/run/vethlab/sysctl'

/** One `sysctl -p` per namespace, before it has interfaces except loopback: new interfaces copy the values. */
export function planSysctls({ nodes, clients, pods, families }: Topology): Stage {
  const fabric = kindFile('fabric', families)
  const others = inNamespaces([...nodes, ...clients, ...pods], families)
  return {
    name: 'sysctls of the network namespaces',
    files: [fabric, ...others.files],
    commands: [{ argv: set(fabric.path) }, ...others.commands],
  }
}

/** The same for pods added to a running lab. */
export function planPodSysctls(pods: readonly Place[], families: readonly IpFamily[]): Stage {
  return { name: 'sysctls of new pods', ...inNamespaces(pods, families) }
}

/** Additional sysctls of kube-proxy and CNI plugins on nodes, set once interfaces exist; skips nodes without any. */
export function planNodeSysctls(nodes: readonly NodePlace[], of: (node: string) => Sysctls): Stage {
  const files = nodes.map((node) => ({
    netns: node.netns,
    file: sysctlFile(`nodes/${node.netns}`, of(node.name)),
  }))
  const needed = files.filter(({ file }) => file.text !== '')
  return {
    name: 'sysctls of kube-proxy',
    files: needed.map(({ file }) => file),
    commands: [
      {
        argv: ['nsenter', '--net=/run/netns/{}', 'sysctl', '-q', '-p', `${folder}/nodes/{}`],
        each: needed.map(({ netns }) => netns),
      },
    ],
  }
}

function inNamespaces(
  places: readonly Place[],
  families: readonly IpFamily[],
): { files: SandboxFile[]; commands: PlannedCommand[] } {
  const kinds = [...new Set(places.map(({ kind }) => kind))]
  return {
    files: kinds.map((kind) => kindFile(kind, families)),
    commands: kinds.map((kind) => ({
      argv: ['nsenter', '--net=/run/netns/{}', ...set(kindFile(kind, families).path)],
      each: places.filter((place) => place.kind === kind).map(({ netns }) => netns),
    })),
  }
}

/** -e: kernels differ in which sysctls a namespace has, above all in user namespaces. */
function set(path: string): string[] {
  return ['sysctl', '-e', '-q', '-p', path]
}

function kindFile(kind: NamespaceKind, families: readonly IpFamily[]): SandboxFile {
  return sysctlFile(kind, namespaceSysctls(kind, families))
}

function sysctlFile(name: string, sysctls: Sysctls): SandboxFile {
  const text = Object.entries(sysctls)
    .map(([key, value]) => `${key} = ${value}\n`)
    .join('')
  return { path: `${folder}/${name}`, text }
}
