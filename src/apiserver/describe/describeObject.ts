import { stringify } from 'yaml'
import { objectLists } from '../../cluster/kinds/index.js'
import type { KubeObject } from '../../cluster/types.js'
import { formatTable } from '../../text/table.js'
import { printableLines } from '../../text/printable.js'
import { jobDescriber, replicationControllerDescriber } from './batch.js'
import type { Describer, Description, Field, Section } from './describer.js'
import { eventSection, type DescribedEvent } from './eventSection.js'
import { gatewayDescriber, listenerSetDescriber } from './gateway/gateway.js'
import { gatewayClassDescriber } from './gateway/gatewayClass.js'
import { referenceGrantDescriber } from './gateway/referenceGrant.js'
import { grpcRouteDescriber, httpRouteDescriber, tlsRouteDescriber } from './gateway/route.js'
import { ingressDescriber } from './ingress.js'
import { ingressClassDescriber } from './ingressClass.js'
import { networkPolicyDescriber } from './networkPolicy.js'
import { namespaceDescriber } from './namespace.js'
import { secretDescriber } from './secret.js'
import { serviceDescriber } from './service.js'

const describers: readonly Describer[] = [
  ...[ingressDescriber, ingressClassDescriber, networkPolicyDescriber, secretDescriber, serviceDescriber],
  ...[jobDescriber, namespaceDescriber, replicationControllerDescriber],
  ...[gatewayClassDescriber, gatewayDescriber, listenerSetDescriber, referenceGrantDescriber],
  ...[httpRouteDescriber, grpcRouteDescriber, tlsRouteDescriber],
]

/** The resources that are needed to describe an object of a kind. */
export function neededResources(kind: string): readonly string[] {
  return describerOf(kind).needs
}

/** Whether the resources of all namespaces are needed to describe a namespaced object. */
export function needsAllNamespaces(kind: string): boolean {
  return describerOf(kind).allNamespaces === true
}

/** Describes an object in the layout of `kubectl describe`: fields, tables, and its events at the end. */
export function describeObject(
  object: KubeObject,
  related: readonly KubeObject[],
  events: readonly DescribedEvent[],
  now: Date,
): string {
  const { metadata } = object
  const describer = describerOf(object.kind)
  const { first = [], fields, sections } = describer.describe(object, objectLists(related))
  const all: readonly Field[] = [
    ['Name', metadata.name],
    ...(metadata.namespace === undefined ? [] : [['Namespace', metadata.namespace] as const]),
    ...first,
    ['Labels', pairs(metadata.labels, (key, value) => [`${key}=${value}`])],
    ['Annotations', pairs(metadata.annotations, annotationLines)],
    ...fields,
  ]
  const ends = describer.withoutEvents === true ? [] : [eventSection(events, now)]
  return formatTable(all.flatMap(fieldRows)) + [...sections, ...ends].map(sectionText).join('')
}

function describerOf(kind: string): Describer {
  return describers.find((describer) => describer.kind === kind) ?? { kind, needs: [], describe: describeAny }
}

/** Spec and status as YAML. */
function describeAny(object: KubeObject): Description {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = object
  const sections = Object.entries(rest).map(([name, value]) => ({
    heading: name.charAt(0).toUpperCase() + name.slice(1),
    lines: printableLines(stringify(value)),
  }))
  return { fields: [], sections }
}

function pairs(
  values: Readonly<Record<string, string>> = {},
  linesOf: (key: string, value: string) => readonly string[],
): readonly string[] {
  const all = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  return all.length === 0 ? ['<none>'] : all.flatMap(([key, value]) => linesOf(key, value))
}

/** Bytes of an annotation that fit in a line of kubectl (maxAnnotationLen). */
const maxAnnotation = 140

/** A long value, or one of several lines, is printed below its key, and shortened (printAnnotationsMultiline). */
function annotationLines(key: string, value: string): readonly string[] {
  const lines = value.replace(/\n$/, '').split('\n')
  const [line = ''] = lines
  if (lines.length === 1 && key.length + 2 + line.length <= maxAnnotation) return [`${key}: ${line}`]
  const most = maxAnnotation - 2
  return [`${key}:`, ...lines.map((one) => `  ${one.length > most ? `${one.slice(0, most)}...` : one}`)]
}

function fieldRows([name, value]: Field): string[][] {
  const [first = '<none>', ...more] = typeof value === 'string' ? [value] : value
  return [[`${name}:`, first], ...more.map((text) => ['', text])]
}

function sectionText({ heading, rows = [], lines = [] }: Section): string {
  const [names, ...cells] = rows
  if (heading === undefined) return ['', ...lines].map((line) => `${line}\n`).join('')
  if (lines.length > 0) return `${heading}:\n${lines.map((line) => `  ${line}\n`).join('')}`
  if (names === undefined || cells.length === 0) return `${heading}:  <none>\n`
  const rules = names.map((name) => '-'.repeat(name.length))
  return `${heading}:\n${formatTable([names, rules, ...cells], { indent: 2 })}`
}
