import * as z from 'zod'
import type { PortRange } from '../../net/addressRanges.js'
import { modeNames } from '../../proxy/config.js'
import { loadBalancerSchema } from '../balancers/schema.js'
import { changeShape, settleSchema } from '../changes/schema.js'
import { kinds } from '../expectations/index.js'
import { ingressSchema } from '../ingress/schema.js'
import { kubeProxyFieldsSchema } from './kubeProxySchema.js'
import { argument, line, lineSome, requestShape } from './requestSchema.js'

const dnsLabel = z
  .string()
  .max(63)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    'is not a DNS label: lower case letters, digits and -, as Kubernetes names nodes',
  )

/** The actions of a step: each step has exactly one. */
const actionShape = { ...requestShape, ...changeShape }

const expectSchema = z
  .strictObject(
    Object.fromEntries(kinds.map((kind) => [kind.key, kind.schema.optional().describe(kind.description)])),
  )
  .refine((value) => Object.keys(value).length > 0, 'needs an expectation')

/** One step of a lab file. */
export const stepSchema = z
  .strictObject({
    name: lineSome.describe('What the step shows, in a few words.'),
    from: lineSome
      .optional()
      .describe(
        'Where the action runs: a node, client or pod by name, or the first pod that a selector such as app=web@node-b matches. Default: the first client.',
      ),
    ...actionShape,
    settle: settleSchema
      .optional()
      .describe('Time that the lab has to settle after a change; false does not wait. Default: 30s.'),
    repeat: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe(
        'Number of times that the action runs, each time over a new connection; three timeouts end it, unless fails is expected. Default: 1.',
      ),
    modes: z
      .array(z.enum(modeNames))
      .min(1)
      .optional()
      .describe(
        'Modes of kube-proxy in which the step runs; in other modes it is reported as skipped. Not for load and stop. Default: all modes.',
      ),
    expect: expectSchema
      .optional()
      .describe('What the step must show. Default: an answer; exit code 0 of a command.'),
  })
  .describe('One action and its expectations.')

const nodeSchema = z.union([
  dnsLabel,
  z.strictObject({
    name: dnsLabel.describe('Name of the node.'),
    zone: lineSome.optional().describe('Zone of the node, the label topology.kubernetes.io/zone.'),
    labels: z.record(lineSome, line).optional().describe('Labels of the Node object.'),
  }),
])

const clientSchema = z.union([
  dnsLabel,
  z.strictObject({
    name: dnsLabel.describe('Name of the client.'),
    addresses: z
      .array(lineSome)
      .min(1)
      .max(16)
      .optional()
      .describe("Addresses outside the ranges of the cluster. Default: one address in the nodes' network."),
    serves: z
      .array(z.int().min(1).max(65535))
      .max(64)
      .optional()
      .describe('TCP ports on which the built-in echo server answers. Default: none.'),
  }),
])

const networkSchema = z.strictObject({
  mode: z
    .enum(['routes', 'vxlan'])
    .optional()
    .describe('How packets reach other nodes: routes, or VXLAN as with flannel. Default: routes.'),
  masquerade: z
    .boolean()
    .optional()
    .describe('Pods leave the cluster with the address of their node. Default: true.'),
})

const portRangeSchema = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, {
    error: 'is not a range of ports: write the first and the last one, as 30000-32767',
    abort: true,
  })
  .refine((text) => {
    const { first, last } = toPortRange(text)
    return first >= 1 && first <= last && last <= 65535
  }, 'must be ports from 1 to 65535, the lower one first')

/** Reads `30000-32767`. */
export function toPortRange(text: string): PortRange {
  const [first = 0, last = 0] = text.split('-').map(Number)
  return { first, last }
}

const topologySchema = z.strictObject({
  nodes: z
    .array(nodeSchema)
    .max(250)
    .optional()
    .describe(
      'Nodes of the cluster. With an empty list the nodes are the Node objects of the manifests. Default: [node-a, node-b].',
    ),
  clients: z
    .array(clientSchema)
    .max(250)
    .optional()
    .describe('Hosts outside the cluster. Default: [client].'),
  families: z
    .array(z.enum(['IPv4', 'IPv6']))
    .min(1)
    .max(2)
    .refine((families) => new Set(families).size === families.length, 'names a family twice')
    .optional()
    .describe('Address families, the primary family first. Without it, --families applies. Default: [IPv4].'),
  network: networkSchema.optional().describe('The network between pods of different nodes.'),
  nodePortRange: portRangeSchema
    .optional()
    .describe('The range of node ports (--service-node-port-range). Default: 30000-32767.'),
})

const dnsSchema = z.union([
  z.boolean(),
  z.strictObject({
    outside: z
      .strictObject({
        on: dnsLabel.describe('The client on which the server runs.'),
        names: z
          .record(
            z
              .string()
              .max(253)
              .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
                error: 'is not a domain name: lower case labels, with dots between them',
              }),
            lineSome,
          )
          .describe('Domain names, each with a node, a client or an address.'),
      })
      .optional()
      .describe(
        'A DNS server outside the cluster, to which the cluster forwards all other names. Default: none; names outside the cluster are refused.',
      ),
  }),
])

const mutateSchema = z.strictObject({
  unclaimed: z
    .array(
      z.strictObject({
        rules: lineSome.describe(
          'Rules as iptables-save prints them, with * as wildcard: CHAIN, `CHAIN spec` or `table CHAIN spec`.',
        ),
        nodes: z.array(lineSome).min(1).optional().describe('Nodes of the rules. Default: all nodes.'),
        why: lineSome.describe('Why no step fails without these rules.'),
      }),
    )
    .max(100)
    .optional()
    .describe('Rules of kube-proxy that no step of the lab covers. Default: none.'),
})

const proxySchema = z.strictObject({
  mode: z
    .enum(modeNames)
    .optional()
    .describe('The mode in which kube-proxy runs on every node. Default: iptables.'),
  modes: z
    .array(z.enum(modeNames))
    .min(1)
    .optional()
    .describe('The modes in which the steps pass. Default: all to which the expectations apply.'),
})

/** The whole of lab.yaml. */
export const labSchema = z
  .strictObject({
    title: lineSome.optional().describe('Title of the lab, one line. Default: the name of the folder.'),
    summary: z.string().optional().describe('What the lab shows, in a few sentences. Default: none.'),
    topology: topologySchema.optional().describe('Nodes, clients and address families.'),
    manifests: z
      .array(argument.min(1))
      .optional()
      .describe(
        'Kubernetes YAML: files and folders, relative to the folder of lab.yaml. Of a folder: its *.yaml, *.yml and *.json in order, without subfolders. Default: the folder manifests, if it exists.',
      ),
    kubeProxy: z
      .union([kubeProxyFieldsSchema, z.literal(false)])
      .optional()
      .describe(
        "Fields of KubeProxyConfiguration (kubeproxy.config.k8s.io/v1alpha1); false for nodes without a kube-proxy. Default: kube-proxy's own defaults, with the pod network as clusterCIDR.",
      ),
    proxy: proxySchema.optional().describe('The mode of kube-proxy.'),
    loadBalancer: loadBalancerSchema
      .optional()
      .describe('The load balancer for Services of type LoadBalancer.'),
    dns: dnsSchema.optional().describe('A DNS server in the cluster. Default: none.'),
    ingress: z
      .array(ingressSchema)
      .max(8)
      .optional()
      .describe('Controllers that serve Ingresses and Gateways. Default: none.'),
    kubeProxyBinary: argument
      .min(1)
      .optional()
      .describe('Path of a kube-proxy to run on every node; --kube-proxy overrides it. Default: none.'),
    mutate: mutateSchema.optional().describe('Settings for `vethlab mutate`.'),
    steps: z.array(stepSchema).max(1000).optional().describe('The steps, in order. Default: none.'),
  })
  .describe('A vethlab lab: lab.yaml')

export type LabFile = z.infer<typeof labSchema>
export type StepFile = z.infer<typeof stepSchema>
/** Keys of a step that act. */
export const actionKeys = Object.keys(actionShape) as (keyof typeof actionShape)[]
