import type { EndpointSlice, Node, Pod } from '../../cluster/types.js'
import type { AttachedObject } from './attachedObject.js'
import { readObjects } from './objects.js'
import type { AttachedText, NodePart } from './texts/model.js'
import { readNodeText } from './texts/nodeText.js'
import { splitPaste } from './texts/splitPaste.js'

/** A text of a node, and what it says. */
export interface NodeTextRead {
  readonly text: AttachedText
  readonly part: NodePart
}

/** The texts of one node. */
export interface AttachedNode {
  readonly name: string
  /** How its name is known. */
  readonly namedBy: 'hostname' | 'address' | 'path' | 'only node' | 'prompt' | 'nothing'
  readonly texts: readonly NodeTextRead[]
}

/** What was attached: objects, texts of nodes, and what was not read. */
export interface Bundle {
  /** As it was named. */
  readonly name: string
  readonly objects: readonly AttachedObject[]
  readonly nodes: readonly AttachedNode[]
  /** Objects of kinds that decide nothing about Services, by kind. */
  readonly otherKinds: ReadonlyMap<string, number>
  /** Files that were not read, and why; those of no known format are not listed. */
  readonly notices: readonly string[]
}

interface FoundText extends NodeTextRead {
  readonly node?: string | undefined
}

/** Reads the files of a bundle by their content; their names only help to separate nodes. */
export function readBundle(
  name: string,
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  unread: readonly { readonly path: string; readonly why: string }[] = [],
): Bundle {
  const objects: AttachedObject[] = []
  const otherKinds = new Map<string, number>()
  const texts: FoundText[] = []
  const addObjects = (text: AttachedText): boolean => {
    const found = readObjects(text)
    objects.push(...(found?.objects ?? []))
    for (const [kind, count] of found?.others ?? []) otherKinds.set(kind, (otherKinds.get(kind) ?? 0) + count)
    return found !== undefined
  }
  for (const { path, bytes } of files) {
    // a NUL is in no text
    if (bytes.subarray(0, 4096).includes(0)) continue
    const text = new TextDecoder().decode(bytes)
    if (/^\s*[{[]/.test(text) && addObjects({ path, line: 1, text })) continue
    for (const { node, ...part } of splitPaste(path, text)) {
      if (addObjects(part)) continue
      const read = readNodeText(part)
      if (read !== undefined) texts.push({ text: part, part: read, node })
    }
  }
  const known = merged(objects)
  const notices = [
    ...unread.map(({ path, why }) => `${path} was not read: ${why}`),
    ...texts.flatMap(({ text, part }) =>
      part.problems.slice(0, 3).map(({ line, message }) => `${text.path}:${line}: ${message}`),
    ),
  ]
  return { name, objects: known, nodes: nodesOf(texts, known), otherKinds, notices }
}

/** One of each object: what a table shows gives way to the object itself, an older text to a later one. */
function merged(objects: readonly AttachedObject[]): AttachedObject[] {
  const byKey = new Map<string, AttachedObject>()
  for (const one of objects) {
    const { kind, metadata } = one.object
    const key = `${kind} ${metadata.namespace ?? ''}/${metadata.name}`
    const before = byKey.get(key)
    const isListed = one.isListed || before?.isListed === true
    if (before === undefined || before.hidden.length >= one.hidden.length)
      byKey.set(key, { ...one, isListed })
  }
  return [...byKey.values()]
}

function nodesOf(texts: readonly FoundText[], objects: readonly AttachedObject[]): AttachedNode[] {
  const nodes = objects.flatMap(({ object }) => (object.kind === 'Node' ? [object as Node] : []))
  const names = namesOfNodes(objects)
  const named = new Map<string, FoundText[]>()
  const rest: FoundText[] = []
  const prefixes = namesInFiles(texts)
  const add = (key: string, text: FoundText) => named.set(key, [...(named.get(key) ?? []), text])
  for (const text of texts) {
    const own = nameIn(text.text.path, names) ?? prefixes.get(text.text.path)
    if (text.node !== undefined) add(`prompt ${text.node}`, text)
    else if (own !== undefined) add(`path ${own}`, text)
    else rest.push(text)
  }
  for (const [folder, own] of byFolder(rest)) for (const text of own) add(`folder ${folder}`, text)
  const found = [...named].map(([key, own]): AttachedNode => {
    const [, how = '', word = ''] = /^(\S+) (.*)$/.exec(key) ?? []
    if (how === 'prompt') return { name: nodeLike(word, names) ?? word, namedBy: 'prompt', texts: own }
    if (how === 'path') return { name: word, namedBy: 'path', texts: own }
    return { ...nameOf(own, nodes, word, named.size === 1), texts: own }
  })
  return joined(found)
}

/** The names of nodes: of their objects, of pods and of endpoints. */
export function namesOfNodes(objects: readonly AttachedObject[]): string[] {
  const names = objects.flatMap(({ object }) => {
    if (object.kind === 'Node') return [object.metadata.name]
    if (object.kind === 'Pod') return (object as Pod).spec.nodeName ?? []
    if (object.kind === 'EndpointSlice')
      return (object as EndpointSlice).endpoints.flatMap(({ nodeName }) => nodeName ?? [])
    return []
  })
  return [...new Set(names)].filter((name) => name !== '')
}

const toolWord =
  /iptables|ip6|ipv[46]|\bip\b|nft|ipset|ipvs|route|rule|addr|link|nat|filter|mangle|raw|legacy|save|sysctl|conntrack|netstat|\bss\b|kube|get|output|before|after/i

/** The names of nodes with which names of files in one folder begin, where several have the same end: `node-a_ip-routes.log`. */
function namesInFiles(texts: readonly FoundText[]): ReadonlyMap<string, string> {
  const splits = texts.flatMap(({ text: { path } }) => {
    const at = path.lastIndexOf('/') + 1
    const file = path.slice(at)
    return [...file.matchAll(/[_.-]/g)].flatMap(({ index }) => {
      const [start, rest] = [file.slice(0, index), file.slice(index)]
      // what is left must be what was run, not only `.txt`
      const isNode = start !== '' && !toolWord.test(start) && toolWord.test(rest.slice(1))
      return isNode ? [{ path, start, end: path.slice(0, at) + rest }] : []
    })
  })
  const starts = new Map<string, Set<string>>()
  for (const { start, end } of splits) starts.set(end, new Set([...(starts.get(end) ?? []), start]))
  // the longest end that two files share leaves the shortest name
  const shared = splits.filter(({ end }) => (starts.get(end)?.size ?? 0) > 1)
  const found = new Map<string, string>()
  for (const { path, start } of shared) {
    const before = found.get(path)
    if (before === undefined || start.length < before.length) found.set(path, start)
  }
  return found
}

/** The name of a node in a path: the longest of those that are whole words of it. */
function nameIn(path: string, names: readonly string[]): string | undefined {
  const isWord = (name: string) => {
    const at = path.indexOf(name)
    if (at < 0) return false
    const [before = '/', after = '/'] = [path[at - 1], path[at + name.length]]
    return !/[a-zA-Z0-9]/.test(before) && !/[a-zA-Z0-9]/.test(after)
  }
  return names.filter(isWord).sort((a, b) => b.length - a.length)[0]
}

/** Texts of one node are in one folder: the highest folders in which no format occurs twice. */
function byFolder(texts: readonly FoundText[]): ReadonlyMap<string, readonly FoundText[]> {
  const depths = texts.map(({ text }) => text.path.split('/').length)
  for (let depth = 0; depth < Math.max(1, ...depths); depth++) {
    const groups = new Map<string, FoundText[]>()
    for (const text of texts) {
      const folder = text.text.path.split('/').slice(0, -1).slice(0, depth).join('/')
      groups.set(folder, [...(groups.get(folder) ?? []), text])
    }
    if ([...groups.values()].every(isOfOneNode)) return groups
  }
  return new Map([['', texts]])
}

/** Whether no two different folders have the same format: the same again in one folder is of another family, table or backend. */
function isOfOneNode(texts: readonly FoundText[]): boolean {
  const folders = new Map<string, string>()
  return texts.every(({ text, part: { format, hostname } }) => {
    const folder = text.path.split('/').slice(0, -1).join('/')
    const key = hostname === undefined ? format : 'hostname'
    const before = folders.get(key) ?? folder
    folders.set(key, before)
    return before === folder
  })
}

function nameOf(
  texts: readonly FoundText[],
  nodes: readonly Node[],
  folder: string,
  isOnly: boolean,
): Pick<AttachedNode, 'name' | 'namedBy'> {
  const names = nodes.map(({ metadata }) => metadata.name)
  const hostname = texts.find(({ part }) => part.hostname !== undefined)?.part.hostname
  if (hostname !== undefined) return { name: nodeLike(hostname, names) ?? hostname, namedBy: 'hostname' }
  const own = new Set(
    texts
      .flatMap(({ part }) => (part.devices ?? []).flatMap(({ addresses }) => addresses))
      .map(({ address }) => address),
  )
  const byAddress = nodes.find(({ status }) =>
    (status?.addresses ?? []).some(({ address }) => own.has(address)),
  )
  if (byAddress !== undefined) return { name: byAddress.metadata.name, namedBy: 'address' }
  const [first, second] = names
  if (first !== undefined && second === undefined && isOnly) return { name: first, namedBy: 'only node' }
  const last = folder.split('/').at(-1) ?? ''
  return { name: last === '' ? 'node' : last, namedBy: 'nothing' }
}

/** The node that a hostname means: a short one is the beginning of a full name, and the other way round. */
function nodeLike(hostname: string, names: readonly string[]): string | undefined {
  const short = (name: string) => name.replace(/\..*/s, '')
  return names.find((name) => name === hostname) ?? names.find((name) => short(name) === short(hostname))
}

/** Texts of one node that came in several ways. */
function joined(nodes: readonly AttachedNode[]): AttachedNode[] {
  const byName = new Map<string, AttachedNode>()
  for (const node of nodes) {
    const before = byName.get(node.name)
    byName.set(
      node.name,
      before === undefined ? node : { ...before, texts: [...before.texts, ...node.texts] },
    )
  }
  return [...byName.values()]
}
