import * as z from 'zod'
import { durationOrNone, durationSchema } from '../file/duration.js'
import { argument, lineSome, requestShape } from '../file/requestSchema.js'
import { waitStates } from './types.js'

const some = <Schema extends z.ZodType>(one: Schema) => z.union([one, z.array(one).min(1)])

const objects = some(lineSome)
const manifest = z.union([argument.min(1), z.record(z.string(), z.unknown())])

const metadata = (what: string) =>
  z
    .strictObject({
      objects: objects.describe('Objects: kind/name, or pods by a selector such as app=web@node-a.'),
      set: z.record(lineSome, argument).optional().describe(`The ${what} to set.`),
      remove: some(lineSome).optional().describe(`The keys of ${what} to remove.`),
    })
    .refine(({ set, remove }) => set !== undefined || remove !== undefined, 'needs set or remove')

const deleteFields = z.strictObject({
  objects: objects.optional().describe('Objects: kind/name, or pods by a selector.'),
  file: some(argument.min(1)).optional().describe('Kubernetes YAML with the objects to delete.'),
  gracePeriodSeconds: z
    .int()
    .min(0)
    .max(3600)
    .optional()
    .describe('Time that pods have to terminate. Default: their terminationGracePeriodSeconds.'),
})

const restartFields = z.strictObject({
  kubeProxy: some(lineSome).describe('Nodes whose kube-proxy restarts.'),
})

const nodeFields = z
  .strictObject({
    down: some(lineSome).optional().describe('Nodes to disconnect.'),
    up: some(lineSome).optional().describe('Nodes to reconnect.'),
  })
  .refine(({ down, up }) => down !== undefined || up !== undefined, 'needs down or up')

const waitFields = z.strictObject({
  for: lineSome.describe('An object as kind/name, or pods by a selector.'),
  until: z
    .union([
      z.enum(waitStates),
      z.strictObject({ endpoints: z.int().min(0).describe('Number of ready endpoints of the Service.') }),
    ])
    .describe('The condition, or the number of ready endpoints of a Service.'),
  timeout: durationOrNone
    .optional()
    .describe('Time limit; 0 checks once, after the lab has settled. Default: 30s.'),
})

const loadFields = z
  .strictObject({
    name: lineSome.describe('Name of the load, for stop.'),
    curl: requestShape.curl,
    nc: requestShape.nc,
    every: durationSchema
      .optional()
      .describe(
        'Interval between the starts of two requests; a request that takes longer delays the next one. Default: 20ms.',
      ),
    parallel: z.int().min(1).max(16).optional().describe('Number of senders. Default: 1.'),
  })
  .refine(({ curl, nc }) => (curl === undefined) !== (nc === undefined), 'needs either curl or nc')

/** The actions of a step that change the lab, wait for it, or send requests while later steps act. */
export const changeShape = {
  apply: some(manifest)
    .optional()
    .describe(
      'Creates or changes objects: files and folders relative to the folder of lab.yaml, objects, or a list of both.',
    ),
  delete: z
    .union([objects, deleteFields])
    .optional()
    .describe('Deletes objects and the objects that they own: kind/name, a list, or a mapping.'),
  scale: z
    .record(lineSome, z.int().min(0).max(10_000))
    .refine((replicas) => Object.keys(replicas).length > 0, 'needs a workload and a number')
    .optional()
    .describe('Sets the number of pods of workloads: kind/name with a number.'),
  label: metadata('labels').optional().describe('Sets or removes labels.'),
  annotate: metadata('annotations').optional().describe('Sets or removes annotations.'),
  patch: z
    .strictObject({
      object: lineSome.describe('The object: kind/name.'),
      with: z
        .record(z.string(), z.unknown())
        .describe('A JSON merge patch: null removes a field, a list replaces the whole list.'),
    })
    .optional()
    .describe('Changes fields of an object.'),
  restart: z
    .union([objects, restartFields])
    .optional()
    .describe(
      'Replaces the pods of workloads one after the other, or restarts kube-proxy: kind/name, a list, kube-proxy for all nodes, or a mapping.',
    ),
  node: nodeFields.optional().describe('Disconnects nodes from the network, or reconnects them.'),
  wait: waitFields.optional().describe('Waits for a condition.'),
  load: loadFields.optional().describe('Starts requests that continue during later steps.'),
  stop: lineSome.optional().describe('Stops a load, by its name, and evaluates it.'),
}

/** When a change is over. */
export const settleSchema = z.union([z.literal(false), durationSchema])
