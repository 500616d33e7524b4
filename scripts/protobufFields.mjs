#!/usr/bin/env node
// Writes src/apiserver/write/protobufFields.json: the fields of the messages in which clients send objects in protobuf. They are
// read from the tags of the Go types: `node scripts/protobufFields.mjs DIR`, where DIR has the folders api and apimachinery of k8s.io.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const file = join(root, 'src/apiserver/write/protobufFields.json')
const [folder = ''] = process.argv.slice(2)
const packages = {
  meta: 'apimachinery/pkg/apis/meta/v1',
  core: 'api/core/v1',
  apps: 'api/apps/v1',
  autoscaling: 'api/autoscaling/v1',
  batch: 'api/batch/v1',
  discovery: 'api/discovery/v1',
  networking: 'api/networking/v1',
  policy: 'api/policy/v1',
  scheduling: 'api/scheduling/v1',
}
/** The kinds that a lab reads, by package. */
const kinds = {
  meta: ['DeleteOptions'],
  core: [
    ...['ConfigMap', 'Endpoints', 'Namespace', 'Node', 'Pod', 'ReplicationController', 'Secret', 'Service'],
  ],
  apps: ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  autoscaling: ['Scale'],
  batch: ['CronJob', 'Job'],
  discovery: ['EndpointSlice'],
  networking: ['Ingress', 'IngressClass'],
  policy: ['Eviction', 'PodDisruptionBudget'],
  scheduling: ['PriorityClass'],
}
/** Types with their own form in JSON. */
const known = {
  ...{ string: 'text', bool: 'bool', int32: 'int', int64: 'int', '[]byte': 'bytes' },
  ...{ 'meta.Time': 'time', 'meta.MicroTime': 'time', 'resource.Quantity': 'quantity' },
  ...{ 'intstr.IntOrString': 'intOrString', 'types.UID': 'text' },
}
/** Types that are left out: the server has its own record of fields and managers. */
const leftOut = ['meta.ManagedFieldsEntry']

const declared = new Map()
for (const [name, path] of Object.entries(packages)) {
  const text = readFileSync(join(folder, path, 'types.go'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')
  for (const [, type, body] of text.matchAll(/^type (\w+) struct \{\n([^]*?)^\}/gm))
    declared.set(`${name}.${type}`, { package: name, body })
  for (const [, type, of] of text.matchAll(/^\s*(?:type )?(\w+) ([\w.[\]]+)$/gm))
    if (!declared.has(`${name}.${type}`)) declared.set(`${name}.${type}`, { package: name, of })
}

const messages = {}
const roots = {}
for (const [name, types] of Object.entries(kinds))
  for (const type of types) {
    roots[type] = shortName(`${name}.${type}`)
    add(`${name}.${type}`)
  }
writeFileSync(file, `${JSON.stringify({ kinds: roots, messages: sortedByName(messages) }, undefined, 2)}\n`)

function add(type) {
  const name = shortName(type)
  if (messages[name] !== undefined) return
  messages[name] = ''
  const { package: own, body } = declared.get(type)
  const field = /^\s*(?:\w+\s+)?(\S+)\s+`(.*)`/gm
  messages[name] = [...body.matchAll(field)]
    .flatMap(([, goType, tags]) => fieldOf(own, goType, tags))
    .join(', ')
}

/**
 * `number name type`. The name ends with [] for a list and {} for a map; it is - for a struct whose fields are those of its parent.
 * The type ends with ? if JSON has a zero value of the field too.
 */
function fieldOf(own, goType, tags) {
  const [, number] = /protobuf:"\w+,(\d+),/.exec(tags) ?? []
  const [, json = ''] = /json:"([^"]*)"/.exec(tags) ?? []
  if (number === undefined) return []
  const name = json.split(',')[0] || '-'
  const kept = goType.startsWith('*') || !json.includes('omitempty') ? '?' : ''
  let type = resolved(own, goType.replace('*', ''))
  let many = ''
  const map = /^map\[[^\]]*\](.*)$/.exec(type)
  if (map !== null) [many, type] = ['{}', resolved(own, map[1])]
  else if (type.startsWith('[]') && known[type] === undefined)
    [many, type] = ['[]', resolved(own, type.slice(2))]
  if (leftOut.includes(type)) return []
  const simple = known[type]
  if (simple !== undefined) return [`${number} ${name}${many} ${simple}${many === '' ? kept : ''}`]
  if (!declared.has(type)) throw new Error(`${own}: ${goType} is not known`)
  add(type)
  return [`${number} ${name}${many} ${shortName(type)}`]
}

/** The name of a type with its package; a type that only names another one is that. */
function resolved(own, goType) {
  const [, list, type] = /^(\[\])?(.*)$/.exec(goType)
  if (known[goType] !== undefined || type.startsWith('map[')) return goType
  const plain = type
    .replace(/^metav1\./, 'meta.')
    .replace(/^v1\./, 'core.')
    .replace(/^(?:core|api)v1\./, 'core.')
  const full = known[plain] !== undefined || plain.includes('.') ? plain : `${own}.${plain}`
  const of = declared.get(full)?.of
  return `${list ?? ''}${of === undefined ? full : resolved(declared.get(full).package, of)}`
}

/** Types of core and meta without their package, as most are. */
function shortName(type) {
  return type.replace(/^(core|meta)\./, '')
}

function sortedByName(object) {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
