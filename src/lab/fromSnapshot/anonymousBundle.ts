import { basename } from 'node:path'
import { stringify } from 'yaml'
import type { KubeObject } from '../../cluster/types.js'
import { parseRange } from '../../net/ranges.js'
import type { Bundle } from '../../snapshot/attached/bundle.js'
import type { LabModel } from '../../snapshot/model/snapshot.js'
import { anonymous } from './anonymous.js'
import { anonymousAddresses } from './anonymousAddresses.js'
import { essentialObject } from './anonymousObjects.js'
import { anonymousChains, anonymousText, type AnonymousNames } from './anonymousText.js'

/** Files that show what a bundle shows, with other names and addresses. */
export interface AnonymousBundle {
  readonly files: readonly { readonly path: string; readonly text: string }[]
  /** The new name of each name: it stays with the owner of the bundle. */
  readonly renamed: ReadonlyMap<string, string>
  /** What is left out, one sentence each. */
  readonly notices: readonly string[]
}

/** Names that all clusters have, and that mean something. */
const usual = [
  ...[
    'kubernetes',
    'kube-dns',
    'kube-proxy',
    'coredns',
    'true',
    'false',
    'linux',
    'windows',
    'amd64',
    'arm64',
  ],
  ...['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io', 'tcp', 'udp', 'sctp'],
]

/**
 * A bundle with other names and addresses, which gives the same answers. It has the texts of nodes of known formats, and of objects what
 * decides about Services; everything else is left out. `key` decides the new addresses, and should be random.
 */
export function anonymousBundle(
  bundle: Bundle,
  { topology }: Pick<LabModel, 'topology'>,
  key: string,
): AnonymousBundle {
  const whole = bundle.objects.filter(({ hidden }) => hidden.length === 0)
  const essential = whole.flatMap(({ object }) => essentialObject(object) ?? [])
  const nodes = [...new Set([...bundle.nodes, ...topology.nodes].map(({ name }) => name))]
  // a text can have a longer or shorter name of the host
  const aliases = bundle.nodes.flatMap(({ name, texts }) =>
    texts.flatMap(({ part: { hostname } }) => (hostname === undefined ? [] : [[hostname, name] as const])),
  )
  const { objects, names, renamed } = renamedObjects(essential, nodes, aliases)
  const { ranges, families } = topology
  const known = families.flatMap((family) => [
    ranges.pods[family],
    ranges.services[family],
    ranges.fabric[family],
  ])
  const addresses = anonymousAddresses(
    key,
    known.flatMap((text) => parseRange(text) ?? []),
  )
  const texts = bundle.nodes.flatMap((node) => node.texts.map((one) => ({ ...one, node: node.name })))
  const chains = anonymousChains(
    texts.map(({ text }) => text.text),
    names,
    addresses,
  )
  const taken = new Map<string, number>()
  const ofNodes = texts.map(({ node, text, part }) => {
    const base = basename(text.path).replaceAll(
      new RegExp(names.hosts.map((one) => one.replaceAll('.', '\\.')).join('|') || '(?!)', 'g'),
      (one) => names.of('node', one),
    )
    const name = part.format === 'hostname' ? 'hostname.txt' : base
    const start = `nodes/${names.of('node', node)}/`
    const count = (taken.get(start + name) ?? 0) + 1
    taken.set(start + name, count)
    const prompt =
      text.command === undefined
        ? ''
        : `root@${names.of('node', node)}:~# ${text.command.replace(/\bgrep .*/, 'grep word')}\n`
    const lines = part.format === 'sysctl' ? networkSettings(text.text) : text.text
    return {
      path: `${start}${count === 1 ? '' : `${count}-`}${name}`,
      text: anonymousText(prompt + lines, names, addresses, chains),
    }
  })
  const yaml = objects
    .map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n')
  const tables = bundle.objects.length - whole.length
  const others =
    whole.length - essential.length + [...bundle.otherKinds.values()].reduce((sum, one) => sum + one, 0)
  return {
    files: [
      ...ofNodes,
      ...(objects.length === 0 ? [] : [{ path: 'objects.yaml', text: addresses.in(yaml) }]),
    ],
    renamed,
    notices: [
      'files of no known format are left out',
      ...(tables === 0 ? [] : [`${tables} objects are left out that only tables of kubectl show`]),
      ...(others === 0 ? [] : [`${others} objects of other kinds are left out`]),
    ],
  }
}

function renamedObjects(
  essential: readonly KubeObject[],
  nodes: readonly string[],
  aliases: readonly (readonly [alias: string, node: string])[],
): { objects: readonly KubeObject[]; names: AnonymousNames; renamed: ReadonlyMap<string, string> } {
  const known = new Map(usual.map((name) => [name, name]))
  nodes.forEach((name, index) => known.set(name, `node-${index + 1}`))
  for (const [alias, node] of aliases) if (!known.has(alias)) known.set(alias, known.get(node) ?? node)
  const hosts = [...new Set([...nodes, ...aliases.map(([alias]) => alias)])]
  // kube-apiserver-NODE: names of static pods, and those of kube-proxy, say what they are
  for (const { kind, metadata } of essential)
    if (kind === 'Pod' && metadata.namespace === 'kube-system') {
      const node = nodes.find((name) => metadata.name.endsWith(`-${name}`))
      const [, program] = /^(kube-[a-z-]+?|etcd|coredns)-/.exec(metadata.name) ?? []
      if (node !== undefined) known.set(metadata.name, metadata.name.replace(node, known.get(node) ?? ''))
      else if (program !== undefined) known.set(metadata.name, metadata.name)
    }
  const images = new Map(
    essential.flatMap(({ kind, metadata, ...fields }) =>
      kind === 'Pod' ? [[metadata.name, (fields as unknown as PodFields).spec.containers] as const] : [],
    ),
  )
  const { objects, renamed } = anonymous(essential, known)
  const back = new Map([...renamed].map(([old, own]) => [own, old]))
  const all = new Map(renamed)
  const counts = new Map<string, number>()
  return {
    renamed: all,
    objects: objects.map((object) => {
      const before = object.kind === 'Pod' ? images.get(back.get(object.metadata.name) ?? '') : undefined
      if (before === undefined) return object
      const pod = object as unknown as PodFields
      const containers = pod.spec.containers.map((one, index) => ({ ...one, image: before[index]?.image }))
      return { ...object, spec: { ...pod.spec, containers } } as KubeObject
    }),
    names: {
      hosts,
      of: (role, name) => {
        if (
          role === 'namespace' &&
          ['default', 'kube-system', 'kube-public', 'kube-node-lease'].includes(name)
        )
          return name
        const found = all.get(name)
        if (found !== undefined) return found
        const number = (counts.get(role) ?? 0) + 1
        counts.set(role, number)
        const own = `${role}-${number}-of-text`
        all.set(name, own)
        return own
      },
    },
  }
}

interface PodFields {
  readonly spec: { readonly containers: readonly { readonly image?: string }[] }
}

/** Others name hosts, domains and users. */
function networkSettings(text: string): string {
  return text
    .split('\n')
    .filter((line) => /^(?:net[./]|\/proc\/sys\/net\/)/.test(line))
    .join('\n')
}
