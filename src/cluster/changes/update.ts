import { sameJson } from '../hash.js'
import { kindOf } from '../kinds/index.js'
import { templateGenerationKey, withTemplateGeneration } from '../defaults/workload.js'
import type { DaemonSet, Ingress, KubeObject, Node, ObjectMeta, Pod } from '../types.js'
import { withoutEmpty } from '../schema/withoutEmpty.js'
import type { Updated } from './updateService.js'

/** The written object, with the status and allocated values of the existing one; Services have `updatedService`. */
export function updatedObject(before: KubeObject, written: KubeObject): Updated {
  const { validateUpdate, schema } = kindOf(written.kind)
  const object = merged(before, withoutEmpty(written, schema))
  const isValid = validateUpdate(before, object).length === 0
  // messages show empty lists as they are written
  return { object, errors: isValid ? [] : validateUpdate(before, merged(before, written)) }
}

function merged(before: KubeObject, written: KubeObject): KubeObject {
  switch (written.kind) {
    case 'Node':
      return updatedNode(before as Node, written as Node)
    case 'Pod':
      return updatedPod(before as Pod, written as Pod)
    case 'Ingress':
      return withGeneration(withStatus(updatedIngress(before as Ingress, written as Ingress), before), before)
    default:
      return withGeneration(withStatus(written, before), before)
  }
}

/** A defaulted class is kept until another one is set. */
function updatedIngress({ spec: { ingressClassName } }: Ingress, written: Ingress): Ingress {
  return ingressClassName === undefined
    ? written
    : { ...written, spec: { ingressClassName, ...written.spec } }
}

/** A pod keeps its node, unless its manifest has one. */
function updatedPod(before: Pod, written: Pod): KubeObject {
  const { nodeName } = before.spec
  const placed = nodeName === undefined ? written : { ...written, spec: { nodeName, ...written.spec } }
  return withGeneration(withStatus(placed, before), before)
}

/** Its addresses and pod ranges, which its links use, are kept, and so are the taints of its condition. */
function updatedNode(before: Node, { metadata, spec = {} }: Node): Node {
  const isSystem = ({ key }: { key: string }) => key.startsWith('node.kubernetes.io/')
  const taints = [
    ...(spec.taints ?? []).filter((taint) => !isSystem(taint)),
    ...(before.spec?.taints ?? []).filter(isSystem),
  ]
  const { unschedulable: _unschedulable, taints: _taints, ...kept } = before.spec ?? {}
  return {
    ...before,
    metadata,
    spec: {
      ...kept,
      ...(spec.unschedulable === true ? { unschedulable: true } : {}),
      ...(taints.length === 0 ? {} : { taints }),
    },
  }
}

/** The generation of an object increments when anything except metadata and status changes. */
export function withGeneration(object: KubeObject, before: KubeObject): KubeObject {
  const { generation } = before.metadata
  if (generation === undefined) return object
  const isSame = sameJson(countedFields(object), countedFields(before))
  const metadata = { ...withNextTemplate(object, before), generation: isSame ? generation : generation + 1 }
  return { ...object, metadata }
}

/** A DaemonSet counts its templates. */
function withNextTemplate(object: KubeObject, before: KubeObject): ObjectMeta {
  const number = before.metadata.annotations?.[templateGenerationKey]
  if (object.kind !== 'DaemonSet' || number === undefined) return object.metadata
  const isSame = sameJson((object as DaemonSet).spec.template, (before as DaemonSet).spec.template)
  return withTemplateGeneration(object.metadata, isSame ? number : String(Number(number) + 1))
}

/** The spec, or all of an object that has none; the annotations of a Deployment too, because its ReplicaSets get them (deploymentStrategy). */
function countedFields(object: KubeObject): unknown {
  if (object.kind === 'EndpointSlice') {
    const { metadata, ...content } = object
    return [content, metadata.labels ?? {}]
  }
  const spec = specOf(object)
  return object.kind === 'Deployment' ? [spec, object.metadata.annotations ?? {}] : spec
}

function specOf(object: KubeObject): unknown {
  return (object as KubeObject & { spec?: unknown }).spec ?? null
}

// Only controllers and kubelets write the status.
function withStatus(written: KubeObject, before: KubeObject): KubeObject {
  const { status: _written, ...rest } = written as KubeObject & { status?: unknown }
  const { status } = before as KubeObject & { status?: unknown }
  return status === undefined ? rest : Object.assign(rest, { status })
}
