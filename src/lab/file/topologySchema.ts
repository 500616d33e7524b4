import { defaultRanges, type AddressRanges, type PortRange } from '../../net/addressRanges.js'
import { parseRange, rangeOf, rangeSize, type AddressRange } from '../../net/ranges.js'
import { validateCanonicalCIDR } from '../../cluster/validation/addresses.js'
import * as z from 'zod'
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

/** What else has addresses in a lab. */
const otherRanges = [defaultRanges.fabric, defaultRanges.pods, defaultRanges.loadBalancers].flatMap(
  (ranges) => Object.values(ranges),
)

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

/** The smallest range that has room for the address of the DNS server, the tenth. */
const fewestBits = 5

const serviceRangeSchema = z
  .string()
  .refine((text) => validateCanonicalCIDR([], text).length === 0, {
    error: 'is not a range of addresses: write its first address and its length, as 10.100.0.0/16',
    abort: true,
  })
  .refine(
    (text) => rangeSize(rangeOf(text)) >= 2n ** BigInt(fewestBits),
    `must have at least ${2 ** fewestBits} addresses`,
  )
  .refine(
    (text) => otherRanges.every((other) => !overlap(rangeOf(other), rangeOf(text))),
    `overlaps a range that the lab has for something else: ${otherRanges.join(', ')}`,
  )

function overlap(one: AddressRange, other: AddressRange): boolean {
  const end = (range: AddressRange) => range.first + rangeSize(range)
  return one.family === other.family && one.first < end(other) && other.first < end(one)
}

/** Reads `serviceCIDR`. */
export function toServiceRanges(ranges: string | readonly string[]): AddressRanges['services'] {
  const given = [ranges].flat().map((range) => [rangeOf(range).family, range] as const)
  return { ...defaultRanges.services, ...Object.fromEntries(given) }
}

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
  nodePortRange: portRangeSchema
    .optional()
    .describe('The range of node ports (--service-node-port-range). Default: 30000-32767.'),
  serviceCIDR: z
    .union([serviceRangeSchema, z.array(serviceRangeSchema).min(1).max(2)])
    .refine(
      (ranges) =>
        new Set([ranges].flat().map((range) => parseRange(range)?.family)).size === [ranges].flat().length,
      'has two ranges of one family',
    )
    .optional()
    .describe(
      'The range of cluster IPs (--service-cluster-ip-range), or one for each family. Default: 10.96.0.0/16 and fd00:10:96::/112.',
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
