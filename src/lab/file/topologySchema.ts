import * as z from 'zod'
import type { PortRange } from '../../net/addressRanges.js'
import { line, lineSome } from './requestSchema.js'

/** A name of a node, client or namespace. */
export const dnsLabel = z
  .string()
  .max(63)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    'is not a DNS label: lower case letters, digits and -, as Kubernetes names nodes',
  )

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

/** `topology` of lab.yaml. */
export const topologySchema = z.strictObject({
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
  nodeCIDR: lineSome
    .optional()
    .describe(
      'The range of the addresses of nodes and clients; with two families both, with a comma. Default: 172.18.0.0/16, fd00:18::/64.',
    ),
  podCIDR: lineSome
    .optional()
    .describe(
      'The range of pods (--cluster-cidr), of which each node gets a /24, or a /64 of IPv6. Default: 10.244.0.0/16, fd00:244::/48.',
    ),
  serviceCIDR: lineSome
    .optional()
    .describe(
      'The range of cluster IPs (--service-cluster-ip-range). Default: 10.96.0.0/16, fd00:10:96::/112.',
    ),
  nodePortRange: portRangeSchema
    .optional()
    .describe('The range of node ports (--service-node-port-range). Default: 30000-32767.'),
})

/** `networkPolicies` of lab.yaml. */
export const networkPoliciesSchema = z.strictObject({
  enforce: z
    .boolean()
    .describe(
      'Whether the nodes enforce NetworkPolicies; some CNI plugins store them without effect. Default: true.',
    ),
})

/** `dns` of lab.yaml. */
export const dnsSchema = z.union([
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
