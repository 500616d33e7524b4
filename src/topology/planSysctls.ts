import { groupBy } from '../groupBy.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { NodePlace, Topology, Place, PlannedCommand, SandboxFile, Stage } from './types.js'
import { namespaceSysctls, type NamespaceKind, type Sysctls } from './sysctls.js'

const folder = '/run/vethlab/sysctl'

/** From this many namespaces of a kind on, it is faster to set only what differs. */
const many = 50

/**
 * Sets the sysctls of a file in the namespaces that `<file>.namespaces` lists, which one command created: the kernel gave them the
 * same values, some from the host. What the first and the last already have is not set in any. These two differ if the host
 * changed meanwhile: then everything is set in all. The first line is set before they are read, because the kernel changes others
 * with it.
 */
const setWhatDiffers = `
set -e
file=$1
values() {
  nsenter --net="/run/netns/$1" sh -c '
    sysctl -e -q "$(head -n 1 "$1" | tr -d " ")"
    cut -d " " -f 1 "$1" | xargs sysctl -e
  ' values "$file" | tr "\t" " "
}
first=$(values "$(head -n 1 "$file.namespaces")")
last=$(values "$(tail -n 1 "$file.namespaces")")
cp "$file" "$file.set"
if [ "$first" = "$last" ]; then
  head -n 1 "$file" >"$file.set"
  printf "%s\n" "$first" | grep -vxFf - "$file" >>"$file.set" || [ $? = 1 ]
fi
exec xargs -a "$file.namespaces" -P 8 -I {} nsenter --net=/run/netns/{} sysctl -e -q -p "$file.set"
`

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
  const kinds = [...groupBy(places, ({ kind }) => kind)].map(([kind, of]) => ({
    file: kindFile(kind, families),
    names: of.map(({ netns }) => netns),
  }))
  return {
    files: kinds.flatMap(({ file, names }) =>
      names.length < many
        ? [file]
        : [file, { path: `${file.path}.namespaces`, text: names.map((name) => `${name}\n`).join('') }],
    ),
    commands: kinds.map(({ file: { path }, names }) =>
      names.length < many
        ? { argv: ['nsenter', '--net=/run/netns/{}', ...set(path)], each: names }
        : { argv: ['sh', '-c', setWhatDiffers, 'set-what-differs', path] },
    ),
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
