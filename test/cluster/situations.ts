import { clusterObjects } from '../../src/apiserver/clusterObjects.js'
import { resources } from '../../src/apiserver/resources.js'
import { createStore } from '../../src/apiserver/store.js'
import { buildCluster, type ClusterOptions } from '../../src/cluster/cluster.js'
import {
  kindNamed,
  podReady,
  podRemoved,
  podRunning,
  reconcileLive,
} from '../../src/cluster/changes/index.js'
import { written, applies, type Writes } from './lab.js'
import { lastAppliedKey } from '../../src/cluster/applied.js'
import { sameJson } from '../../src/cluster/hash.js'
import type { ObjectRef } from '../../src/cluster/changes/findObject.js'
import { parseManifests } from '../../src/cluster/manifests/manifests.js'
import { isEnding } from '../../src/cluster/pods/endPods.js'
import { podAddresses } from '../../src/cluster/pods/podFacts.js'
import type { Cluster, KubeObject, Pod } from '../../src/cluster/types.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { stringify } from 'yaml'

/** One step of a recorded situation: manifests, a merge patch of `kind/name`, or a label `key=value`. */
export interface SituationStep {
  readonly apply?: readonly KubeObject[]
  readonly patch?: readonly [string, object]
  readonly label?: readonly [string, string]
}

/** A recorded situation: the steps, and the objects that the real cluster had afterwards. */
export interface Situation {
  readonly steps: readonly SituationStep[]
  readonly real: readonly KubeObject[]
}

/** The kinds of the recordings. */
export const recordedKinds: readonly string[] = [
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Pod', 'Service', 'EndpointSlice'],
]

/** The nodes of the recordings. */
const options: ClusterOptions = {
  nodes: ['a', 'b'].map((letter) => ({ name: `node-${letter}`, zone: `zone-${letter}`, labels: {} })),
  ranges: defaultRanges,
  families: ['IPv4', 'IPv6'],
}

const namespace = 'lab'
const now = '2026-01-02T03:04:05Z'

/** The objects that the API of a lab shows after the steps, when the cluster has settled. */
export function play(steps: readonly SituationStep[]): KubeObject[] {
  const { objects } = parseManifests([
    { path: 'a.yaml', text: `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${namespace} }\n` },
  ])
  const start: Cluster = { ...buildCluster(objects, options), now }
  const cluster = steps.reduce(
    (before, step) => settled(written(before, changeOf(step), { ...options, now }).cluster),
    start,
  )
  const store = createStore(clusterObjects(cluster, { kernel: '6.1.0', since: new Date(now) }))
  return resources
    .filter(({ kind }) => recordedKinds.includes(kind))
    .flatMap((resource) => store.list(resource))
    .filter(({ metadata }) => metadata.namespace === namespace)
}

function changeOf({ apply, patch, label }: SituationStep): Writes {
  if (apply !== undefined) {
    // Version 1.1 quotes the words that Kubernetes reads as booleans.
    const text = apply.map((object) => stringify(object, { version: '1.1' })).join('---\n')
    return applies(text, 'STDIN')
  }
  if (patch !== undefined) return { verb: 'patch', ref: refOf(patch[0]), patch: patch[1] }
  const [text = '', pair = ''] = label ?? []
  const [key = '', value = ''] = pair.split('=')
  return { verb: 'label', ref: refOf(text), values: { [key]: value } }
}

function refOf(text: string): ObjectRef {
  const [word = '', name = ''] = text.split('/')
  return { kind: kindNamed(word) ?? word, namespace, name }
}

/** Runs the controllers and a kubelet, whose pods end, start and become ready at once, unless a probe fails. */
function settled(cluster: Cluster): Cluster {
  let current = cluster
  for (let round = 0; round < 100; round++) {
    const next = kubelet(reconcileLive(current))
    if (next === current) return current
    current = next
  }
  throw new Error('the cluster does not settle')
}

function kubelet(cluster: Cluster): Cluster {
  return cluster.pods
    .filter((pod) => podAddresses(pod).length > 0)
    .reduce((next, pod) => {
      const { metadata } = pod
      if (isEnding(pod)) return podRemoved(next, metadata)
      // the recorded pods were reported ready without a time
      return podReady(podRunning(next, metadata, now), metadata, !hasFailingProbe(pod))
    }, cluster)
}

/** True for a readiness probe of a port on which no container listens. */
function hasFailingProbe({ spec }: Pod): boolean {
  const ports = spec.containers.flatMap((container) => container.ports ?? [])
  return spec.containers.some(({ readinessProbe }) => {
    const port = readinessProbe?.tcpSocket?.port
    return (
      port !== undefined && !ports.some(({ name, containerPort }) => [name, containerPort].includes(port))
    )
  })
}

/** The objects of one kind, normalized and in an order that depends only on their content. */
export function normalized(objects: readonly KubeObject[], kind: string): unknown[] {
  const { text, list } = replacements(objects)
  const sorted = objects
    .filter((object) => object.kind === kind)
    .map((object) => JSON.stringify(bare(object), reduced))
    .map((json) => list.reduce((result, [from, to]) => result.replaceAll(from, to), text(json)))
    .map((json) => sortedKeys(JSON.parse(json) as unknown))
  return sorted.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

// a lab gives pods no priority
const dropped = [
  ...['priority', 'preemptionPolicy'],
  ...['uid', 'resourceVersion', 'creationTimestamp', 'lastUpdateTime', 'lastTransitionTime'],
  ...['managedFields', lastAppliedKey],
]
const chosen = ['clusterIP', 'clusterIPs', 'nodePort', 'healthCheckNodePort']

/** Removes what the recordings do not have, and hides what the API server chooses; a replacer of JSON.stringify. */
function reduced(this: unknown, key: string, value: unknown): unknown {
  if (value === null || dropped.includes(key)) return undefined
  if (key === 'annotations' && sameJson(Object.keys(value as object), [lastAppliedKey])) return undefined
  if (key === 'endpoints.kubernetes.io/last-change-trigger-time') return '*'
  if (!chosen.includes(key) || value === 'None') return value
  return Array.isArray(value) ? value.map((one: unknown) => (one === 'None' ? one : '*')) : '*'
}

function bare(object: KubeObject): object {
  const { status, ...rest } = object as KubeObject & { status?: unknown }
  const { metadata } = object
  const { spec } = object as { spec?: { type?: string } }
  // The load balancer of the recordings is another one.
  const isRecorded = object.kind !== 'Pod' && spec?.type !== 'LoadBalancer' && status !== undefined
  const shown = isRecorded ? { ...rest, status } : rest
  if (object.kind !== 'EndpointSlice') return shown
  const { endpoints, ports, ...slice } = shown as { endpoints?: Endpoint[]; ports?: { name?: string }[] }
  return {
    ...slice,
    metadata: { ...metadata, name: '*' },
    endpoints: endpoints && [...endpoints].sort((a, b) => (rank(a) < rank(b) ? -1 : 1)),
    ports: ports && [...ports].sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)),
  }
}

interface Endpoint {
  addresses: string[]
  nodeName?: string
}

function rank({ nodeName, addresses }: Endpoint): string {
  return `${nodeName} ${addresses[0]?.length} ${addresses[0]}`
}

/** Generated names, hashes and addresses by what they mean: the n-th address of a node's range. */
function replacements(objects: readonly KubeObject[]): {
  text: (json: string) => string
  list: readonly (readonly [string, string])[]
} {
  const names = objects.filter(hasGeneratedName).map((pod): [string, string] => {
    return [`"${pod.metadata.name}"`, `"pod@${podAddresses(pod as Pod)[0] ?? ''}"`]
  })
  const hashes = objects
    .flatMap(({ metadata: { labels = {} } }) => [
      labels['pod-template-hash'],
      labels['controller-revision-hash'],
    ])
    .filter((hash) => hash !== undefined && hash !== 'HASH')
    .map((hash): [string, string] => [hash ?? '', 'HASH'])
  const named = (json: string) =>
    [...names, ...hashes].reduce((result, [from, to]) => result.replaceAll(from, to), json)
  const all = named(objects.map((object) => JSON.stringify(bare(object))).join('\n'))
  const found = [...new Set(all.match(/10\.244\.\d+\.\d+|fd00:244:0:\d+::[0-9a-f]+/g))]
  const ordered = found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const counts = new Map<string, number>()
  const list = ordered.map((address): [string, string] => {
    const range = address.replace(/[.:][0-9a-f]+$/, '')
    const count = (counts.get(range) ?? 0) + 1
    counts.set(range, count)
    return [address, `${range} no. ${count}`]
  })
  // the longest first: one address can be the start of another
  return { text: named, list: list.reverse() }
}

function hasGeneratedName({ kind, metadata }: KubeObject): boolean {
  const owner = metadata.ownerReferences?.[0]?.kind
  return (
    kind === 'Pod' && ['ReplicaSet', 'DaemonSet'].includes(owner ?? '') && !metadata.name.startsWith('pod@')
  )
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, one]) => [key, sortedKeys(one)]))
}
