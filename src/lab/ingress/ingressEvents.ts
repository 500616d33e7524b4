import { createHash } from 'node:crypto'
import { objectsOf } from '../../cluster/kinds/index.js'
import type { Cluster, KubeObject, ObjectLists } from '../../cluster/types.js'
import { gatewaysOf } from '../../ingress/gateway/gatewayConfiguration.js'
import { warning, type Finding } from '../../ingress/objects/finding.js'
import type { Unsupported } from '../../ingress/proxySettings.js'
import { ingressesOf } from '../../ingress/rules/classes.js'
import type { IngressSpec } from '../../ingress/ingressController.js'

/** The Events of one controller. */
export interface IngressEvents {
  /** Replaces the Events by those of a snapshot's findings; an Event that exists already keeps its times. */
  readonly record: (findings: readonly Finding[], cluster: Pick<Cluster, 'now'>) => void
  /** The Events of current findings. */
  readonly all: () => readonly KubeObject[]
}

/** The findings of a controller of this name as Events, each with the time of its first occurrence. */
export function createIngressEvents(component: string): IngressEvents {
  let events = new Map<string, KubeObject>()
  return {
    all: () => [...events.values()],
    record(findings, { now = new Date().toISOString() }) {
      const before = events
      events = new Map(
        findings.map((finding) => {
          const event = eventOf(finding, component, now)
          return [event.metadata.name, before.get(event.metadata.name) ?? event]
        }),
      )
    },
  }
}

function eventOf({ object, type, reason, message }: Finding, component: string, now: string): KubeObject {
  const { apiVersion, kind } = object
  const { name, namespace = 'default', uid } = object.metadata
  const text = JSON.stringify([kind, namespace, name, component, reason, message])
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const time = now.replace(/\.\d+Z$/, 'Z')
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${hash}`, namespace },
    involvedObject: { apiVersion, kind, name, namespace, ...(uid === undefined ? {} : { uid }) },
    ...{ type, reason, message, count: 1, firstTimestamp: time, lastTimestamp: time },
    source: { component },
    reportingComponent: component,
  }
  return event
}

/** What an Ingress or a route requests and the proxy does not support. */
export function unsupportedFindings(
  unsupported: readonly Unsupported[],
  proxy: string,
  cluster: Partial<ObjectLists>,
): Finding[] {
  return unsupported.flatMap(({ route, what }) => {
    const [kind = '', namespace, name] = route.split('/')
    const object = objectsOf(cluster, kind).find(
      ({ metadata }) => (metadata.namespace ?? 'default') === namespace && metadata.name === name,
    )
    return object === undefined ? [] : [warning(object, 'NotSupported', `${proxy}: ${what}`)]
  })
}

/** Findings for a configuration that the proxy rejects: one for every object that it is made of. */
export function rejections(why: string, { controller }: IngressSpec, cluster: Cluster): Finding[] {
  const message = `the last good configuration is still served, because the proxy rejects the new one: ${why}`
  const objects = [...ingressesOf(cluster, controller), ...gatewaysOf(cluster, controller)]
  return objects.map((object) => warning(object, 'ConfigurationRefused', message))
}
