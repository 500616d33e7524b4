import * as z from 'zod'
import type { PortRange } from '../../net/addressRanges.js'
import { modeNames } from '../../proxy/config.js'
import { loadBalancerSchema } from '../balancers/schema.js'
import { changeShape, settleSchema } from '../changes/schema.js'
import { kinds } from '../expectations/index.js'
import { ingressSchema } from '../ingress/schema.js'
import { argument, line, lineSome, requestShape } from './requestSchema.js'

const dnsLabel = z
  .string()
  .max(63)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    'is not a DNS label: lower case letters, digits and -, as Kubernetes names nodes',
  )

/** The actions of a step: exactly one of them stands in each. */
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
        'Who acts: a node, client or pod by name, or the first pod of a selector such as app=web@node-b; the first client by default.',
      ),
    ...actionShape,
    settle: settleSchema
      .optional()
      .describe(
        'How long pods may take to start and end after a change until all is at rest, 30 seconds by default; false does not wait for that.',
      ),
    repeat: z.int().min(1).max(10_000).optional().describe('How often to act; 1 by default.'),
    modes: z
      .array(z.enum(modeNames))
      .min(1)
      .optional()
      .describe(
        'The modes of kube-proxy that the step is about: in others it is left out, and told as such.',
      ),
    expect: expectSchema
      .optional()
      .describe('What must be seen; by default an answer, and of a command exit code 0.'),
  })
  .describe('One action and what is expected of it.')

const nodeSchema = z.union([
  dnsLabel,
  z.strictObject({
    name: dnsLabel.describe('Name of the node.'),
    zone: lineSome.optional().describe('Its zone: the label topology.kubernetes.io/zone.'),
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
      .describe('Addresses of its own, away from those of the cluster, instead of one beside the nodes.'),
    serves: z
      .array(z.int().min(1).max(65535))
      .max(64)
      .optional()
      .describe('TCP ports on which the built-in echo server answers; none by default.'),
  }),
])

const networkSchema = z.strictObject({
  mode: z
    .enum(['routes', 'vxlan'])
    .optional()
    .describe('routes between the nodes (the default), or vxlan: an overlay as flannel makes it.'),
  masquerade: z
    .boolean()
    .optional()
    .describe('Whether pods leave the cluster masqueraded, as with ipMasq of CNI plugins; true by default.'),
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
      'The nodes; node-a and node-b by default. An empty list leaves them to the Node objects of the manifests.',
    ),
  clients: z
    .array(clientSchema)
    .max(250)
    .optional()
    .describe('Hosts outside the cluster; one called client by default.'),
  families: z
    .array(z.enum(['IPv4', 'IPv6']))
    .min(1)
    .max(2)
    .refine((families) => new Set(families).size === families.length, 'names a family twice')
    .optional()
    .describe('Address families, the primary one first; IPv4 alone by default.'),
  network: networkSchema.optional().describe('How pods of different nodes reach each other.'),
  nodePortRange: portRangeSchema
    .optional()
    .describe(
      'The ports that Services get as node ports, as --service-node-port-range of kube-apiserver; 30000-32767 by default.',
    ),
})

const dnsSchema = z.union([
  z.boolean(),
  z.strictObject({
    outside: z
      .strictObject({
        on: dnsLabel.describe('The client that serves them.'),
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
          .describe('Domain names, each with its address: that of a node or client by name, or as a number.'),
      })
      .optional()
      .describe('A DNS server outside the cluster, which the cluster asks for what it does not know itself.'),
  }),
])

const mutateSchema = z.strictObject({
  unclaimed: z
    .array(
      z.strictObject({
        rules: lineSome.describe(
          'Rules as iptables-save prints them, with * for anything: by CHAIN, `CHAIN spec` or `table CHAIN spec`.',
        ),
        nodes: z.array(lineSome).min(1).optional().describe('Only of these nodes; of all unless told.'),
        why: lineSome.describe('Why no step of the lab fails without them.'),
      }),
    )
    .max(100)
    .optional()
    .describe('Rules of kube-proxy about which the lab claims nothing.'),
})

const proxySchema = z.strictObject({
  mode: z.enum(modeNames).optional().describe('iptables (the default), nftables, ipvs or userspace.'),
  modes: z
    .array(z.enum(modeNames))
    .min(1)
    .optional()
    .describe('The modes that the steps hold in; without it those whose rules they do not speak of.'),
})

/** The whole of lab.yaml. */
export const labSchema = z
  .strictObject({
    title: lineSome.optional().describe("What the lab is about, in a line; the folder's name by default."),
    summary: z.string().optional().describe('What there is to see, in a few sentences.'),
    topology: topologySchema.optional().describe('Nodes, clients and address families.'),
    manifests: z
      .array(argument.min(1))
      .optional()
      .describe(
        'Kubernetes YAML: files, or folders of *.yaml, *.yml and *.json; the folder manifests beside lab.yaml by default.',
      ),
    kubeProxy: z
      .union([z.record(z.string(), z.unknown()), z.literal(false)])
      .optional()
      .describe(
        'Fields of KubeProxyConfiguration (kubeproxy.config.k8s.io/v1alpha1); false for nodes without a kube-proxy.',
      ),
    proxy: proxySchema.optional().describe('The mode of the kube-proxies.'),
    loadBalancer: loadBalancerSchema
      .optional()
      .describe('Who looks after Services of type LoadBalancer; their nodes by default.'),
    dns: dnsSchema.optional().describe('A DNS server in the cluster, which pods ask; none by default.'),
    ingress: z
      .array(ingressSchema)
      .max(8)
      .optional()
      .describe('The controllers that serve Ingresses; none by default.'),
    kubeProxyBinary: argument
      .min(1)
      .optional()
      .describe(
        'A kube-proxy to run on every node instead of the built-in rules: a path, from the folder of lab.yaml on.',
      ),
    mutate: mutateSchema.optional().describe('What `vethlab mutate` is told about the lab.'),
    steps: z.array(stepSchema).max(1000).optional().describe('What is done and what must be seen, in order.'),
  })
  .describe('A vethlab lab: lab.yaml')

export type LabFile = z.infer<typeof labSchema>
export type StepFile = z.infer<typeof stepSchema>
/** Keys of a step that act. */
export const actionKeys = Object.keys(actionShape) as (keyof typeof actionShape)[]

/** The JSON Schema of lab.yaml (draft 2020-12), with which editors complete and check it. */
export function labJsonSchema(): unknown {
  const schema = z.toJSONSchema(labSchema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) === stepSchema)
        jsonSchema.oneOf = actionKeys.map((key) => ({ required: [key] }))
    },
  })
  return { ...schema, title: 'lab.yaml' }
}
