import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse, stringify } from 'yaml'
import type { Cluster } from '../../src/cluster/types.js'
import { InputError } from '../../src/errors.js'
import { cluster, twoNodes, written, type Writes, applies } from './lab.js'
import { recordedMessages, type Answer } from './recordedMessages.js'

type Fields = Record<string, unknown>

interface Row extends Answer {
  about: string
  objects: Fields[]
  /** What was done to the object afterwards, the answer, and the spec after that. */
  then?: Answer & { patch?: [string, Fields]; apply?: Fields; spec?: Fields }
}

const recorded2 = readRows('errors-2.yaml')
const recorded3 = readRows('errors-3.yaml')

function readRows(file: string): Row[] {
  return parse(readFileSync(`test/golden/api-server-1.36/${file}`, 'utf8')) as Row[]
}

const kinds: Record<string, string> = {
  service: 'Service',
  pod: 'Pod',
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  daemonset: 'DaemonSet',
  configmap: 'ConfigMap',
  secret: 'Secret',
  endpointslice: 'EndpointSlice',
  ingress: 'Ingress',
  ingressclass: 'IngressClass',
}

const options = { ...twoNodes, families: ['IPv4', 'IPv6'] as const, now: '2026-01-02T03:04:05Z' }

const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: lab }\n'

interface Answered {
  cluster: Cluster
  messages: string[]
}

function answered(before: Cluster, change: () => Writes): Answered {
  try {
    return { cluster: written(before, change(), options).cluster, messages: [] }
  } catch (error) {
    if (error instanceof InputError)
      return { cluster: before, messages: error.problems.map(({ message }) => message) }
    throw error
  }
}

function applied(before: Cluster, objects: Fields[]): Answered {
  // Version 1.1 quotes the words that Kubernetes reads as booleans.
  const text = objects.map((object) => stringify(object, { version: '1.1' })).join('---\n')
  return answered(before, () => applies(text, 'STDIN'))
}

function patched(before: Cluster, [target, patch]: [string, Fields]): Answered {
  const [kind = '', name = ''] = target.split('/')
  const object = { kind: kinds[kind] ?? kind, namespace: kind === 'ingressclass' ? undefined : 'lab', name }
  return answered(before, () => ({ verb: 'patch', ref: object, patch }))
}

/** The answers to a row: to the creation, and to the update if there is one, with the spec of the Service after it. */
function answersTo(row: Row): { created: string[]; updated: string[]; spec?: unknown } {
  const created = applied(cluster(namespace, options), row.objects)
  if (row.then === undefined) return { created: created.messages, updated: [] }
  const { patch, apply } = row.then
  const updated =
    patch === undefined ? applied(created.cluster, [apply ?? {}]) : patched(created.cluster, patch)
  const spec = updated.cluster.services.find(({ metadata }) => metadata.name === 'web')?.spec
  return { created: created.messages, updated: updated.messages, ...(row.then.spec && { spec }) }
}

function recorded({ then, ...row }: Row): unknown {
  return {
    created: recordedMessages(row),
    updated: then === undefined ? [] : recordedMessages(then),
    ...(then?.spec && { spec: then.spec }),
  }
}

const allocated = /\b10\.96\.\d+\.\d+|\bfd00:10:96::[\da-f]+|"nodePort":\d+/g

/**
 * An answer without what differs by nature: values that the row does not state, which the real API server allocates at
 * random, and the whole object in an answer to a patch, which has its uid and times.
 */
function comparable(answer: unknown, { objects, then }: Row): unknown {
  const stated = JSON.stringify([objects, then?.patch, then?.apply])
  const text = JSON.stringify(answer)
    .replace(/(patch: Invalid value: ).*(: (?:json: |illegal base64))/, '$1*$2')
    .replace(allocated, (value) => (stated.includes(value) ? value : value.replace(/\d.*/, '0')))
  return JSON.parse(text)
}

t.equal(recorded2.length, 296)
t.equal(recorded3.length, 268)
for (const row of [...recorded2, ...recorded3])
  t.test(row.about, (t) => {
    t.same(comparable(answersTo(row), row), comparable(recorded(row), row))
    t.end()
  })
