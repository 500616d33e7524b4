import * as z from 'zod'
import { durationOrNone, durationSchema } from '../file/duration.js'
import { argument, lineSome, requestShape } from '../file/requestSchema.js'

const some = <Schema extends z.ZodType>(one: Schema) => z.union([one, z.array(one).min(1)])

const objects = some(lineSome)
const manifest = z.union([argument.min(1), z.record(z.string(), z.unknown())])

const metadata = (what: string) =>
  z
    .strictObject({
      objects: objects.describe('The objects: kind/name, or pods by a selector such as app=web@node-a.'),
      set: z.record(lineSome, argument).optional().describe(`The ${what} that they get.`),
      remove: some(lineSome).optional().describe(`The keys of ${what} that they lose.`),
    })
    .refine(({ set, remove }) => set !== undefined || remove !== undefined, 'needs set or remove')

const deleteFields = z.strictObject({
  objects: objects.optional().describe('The objects: kind/name, or pods by a selector.'),
  file: some(argument.min(1)).optional().describe('Kubernetes YAML whose objects are deleted.'),
  gracePeriodSeconds: z
    .int()
    .min(0)
    .max(3600)
    .optional()
    .describe('How long pods may take to end; their terminationGracePeriodSeconds by default.'),
})

const restartFields = z.strictObject({
  kubeProxy: some(lineSome).describe('The nodes whose kube-proxy is started anew.'),
})

const nodeFields = z
  .strictObject({
    down: some(lineSome).optional().describe('Nodes that leave the network.'),
    up: some(lineSome).optional().describe('Nodes that come back to it.'),
  })
  .refine(({ down, up }) => down !== undefined || up !== undefined, 'needs down or up')

/** What a `wait` waits for, of an object or of all pods of a selector. */
export const waitStates = ['available', 'rolledOut', 'running', 'ready', 'notReady', 'gone'] as const

const waitFields = z.strictObject({
  for: lineSome.describe('An object, kind/name, or pods by a selector.'),
  until: z
    .union([
      z.enum(waitStates),
      z.strictObject({ endpoints: z.int().min(0).describe('How many ready endpoints the Service has.') }),
    ])
    .describe('available, rolledOut, running, ready, notReady, gone, or endpoints of a Service.'),
  timeout: durationOrNone
    .optional()
    .describe('How long it may take; 30 seconds by default, 0 for what is so once the lab has settled.'),
})

const loadFields = z
  .strictObject({
    name: lineSome.describe('The name by which it is stopped.'),
    curl: requestShape.curl,
    nc: requestShape.nc,
    every: durationSchema
      .optional()
      .describe('From the start of one request to that of the next; 20ms by default.'),
    parallel: z.int().min(1).max(16).optional().describe('How many such senders there are; 1 by default.'),
  })
  .refine(({ curl, nc }) => (curl === undefined) !== (nc === undefined), 'needs either curl or nc')

/** The actions of a step that change the lab, wait for it, or send requests while later steps act. */
export const changeShape = {
  apply: some(manifest)
    .optional()
    .describe('Kubernetes YAML to apply: files and folders, or objects as they are, one or a list.'),
  delete: z
    .union([objects, deleteFields])
    .optional()
    .describe('Objects to delete: kind/name, one or a list, or its parts.'),
  scale: z
    .record(lineSome, z.int().min(0).max(10_000))
    .refine((replicas) => Object.keys(replicas).length > 0, 'needs a workload and a number')
    .optional()
    .describe('How many pods workloads are to have: kind/name with a number.'),
  label: metadata('labels').optional().describe('Labels to set, or to take away.'),
  annotate: metadata('annotations').optional().describe('Annotations to set, or to take away.'),
  patch: z
    .strictObject({
      object: lineSome.describe('The object: kind/name.'),
      with: z
        .record(z.string(), z.unknown())
        .describe('A JSON merge patch: null takes a field away, a list replaces the whole list.'),
    })
    .optional()
    .describe('Fields of an object to change.'),
  restart: z
    .union([objects, restartFields])
    .optional()
    .describe('Workloads whose pods are replaced, or kube-proxy: of all nodes, or of some.'),
  node: nodeFields.optional().describe('Nodes to take off the network, or to put back.'),
  wait: waitFields.optional().describe('Waits for something to be so.'),
  load: loadFields.optional().describe('Requests that go on while later steps act.'),
  stop: lineSome.optional().describe('Ends a load, by its name, and judges it.'),
}

/** When a change is over. */
export const settleSchema = z.union([z.literal(false), durationSchema])
