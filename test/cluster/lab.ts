import { makeWrites, type WritesMade } from '../../src/apiserver/write/makeWrites.js'
import type { ObjectWrite } from '../../src/apiserver/write/objectWrite.js'
import { buildCluster } from '../../src/cluster/cluster.js'
import type { ClusterOptions } from '../../src/cluster/cluster.js'
import { parseManifests, type LocatedObject } from '../../src/cluster/manifests/manifests.js'
import type { Cluster } from '../../src/cluster/types.js'
import { InputError } from '../../src/errors.js'
import { defaultRanges } from '../../src/net/addressRanges.js'

/** Options of a lab with two nodes and IPv4. */
export const twoNodes: ClusterOptions = {
  nodes: ['node-a', 'node-b'].map((name) => ({ name, labels: {} })),
  ranges: defaultRanges,
  families: ['IPv4'],
}

/** A cluster from YAML text. */
export function cluster(text: string, options: Partial<ClusterOptions> = {}): Cluster {
  return buildCluster(parseManifests([{ path: 'a.yaml', text }]).objects, { ...twoNodes, ...options })
}

/** One write, or several that are made together. */
export type Writes = ObjectWrite | readonly ObjectWrite[]

/** A cluster after writes, before the controllers run. */
export function written(
  before: Cluster,
  writes: Writes,
  options: ClusterOptions & { now: string },
): WritesMade {
  return makeWrites(before, [writes].flat(), options)
}

/** The writes of `kubectl apply` for YAML text or parsed objects. */
export function applies(manifests: string | readonly LocatedObject[], path = 'b.yaml'): ObjectWrite[] {
  const objects =
    typeof manifests === 'string' ? parseManifests([{ path, text: manifests }]).objects : manifests
  return objects.map((manifest) => ({ verb: 'apply', manifest }))
}

/** The errors of a call, one line each in the format for users; fails on any other error, and when there is none. */
export function refusals(run: () => unknown): string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n')
    throw error
  }
  throw new Error('nothing was refused')
}

const nginx = '{ name: web, image: nginx }'

/** A minimal Deployment, with the line that ends its document. */
export function deployment(name: string, replicas: number, podSpec = '', container = nginx): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers: [${container}]
${podSpec === '' ? '' : `      ${podSpec}\n`}---
`
}

/** A minimal Service; `spec` has further fields in flow style. */
export function service(name: string, spec = ''): string {
  return `apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { selector: { app: ${name} }, ports: [{ port: 80 }]${spec === '' ? '' : `, ${spec}`} }
---
`
}
