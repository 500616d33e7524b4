import * as z from 'zod'
import { modeNames } from '../agents/kubeProxy/config.js'
import { callback, duration, nonEmpty } from '../text/checkArguments.js'

/** The fields of `PrepareOptions`. */
export const prepareShape = {
  ignoreKinds: z
    .union([z.set(nonEmpty), z.array(nonEmpty)], 'expected a Set of kinds, or an array')
    .optional(),
  commands: z.enum(['echo', 'strict']).optional(),
  cwd: nonEmpty.optional(),
  families: z
    .array(z.enum(['IPv4', 'IPv6']))
    .min(1)
    .refine((all) => new Set(all).size === all.length, 'has a family twice')
    .optional(),
  mode: z.enum(modeNames).optional(),
  kubeProxyBinary: nonEmpty.optional(),
}

/** The fields of `StartOptions` and `PrepareOptions`. */
export const startShape = {
  ...prepareShape,
  iptables: z.enum(['nft', 'legacy']).optional(),
  pcap: nonEmpty.optional(),
  pcapAll: z.boolean().optional(),
  capture: z.boolean().optional(),
  label: nonEmpty.optional(),
  signal: z.instanceof(AbortSignal).optional(),
  kubeProxyPatienceMs: duration.optional(),
  api: z.boolean().optional(),
  healthz: z.boolean().optional(),
  withheld: z.looseObject({}).optional(),
  patienceSeconds: duration.optional(),
  onPackets: callback.optional(),
  onWait: callback.optional(),
  onStage: callback.optional(),
}

export const tracedProtocol = z.enum(['tcp', 'udp', 'sctp', 'icmp'])
export const port = z.int().min(1).max(65535)

/** What curl calls. */
export const url = z.string().regex(/^https?:\/\/[^/]/, 'expected an http:// or https:// URL')

/** An action, in full. */
export const actionShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('curl'),
    url,
    method: nonEmpty.optional(),
    headers: z.record(nonEmpty, z.string()),
    body: z.string().optional(),
    resolve: nonEmpty.optional(),
    http: z.literal([1.1, 2]).optional(),
    cacert: nonEmpty.optional(),
    insecure: z.boolean().optional(),
    timeoutSeconds: duration,
  }),
  z.strictObject({
    kind: z.literal('nc'),
    host: nonEmpty,
    port: z.union([port, z.string().regex(/^\{[^{}]+\}$/, 'expected a port, or a name in braces')]),
    udp: z.boolean(),
    sourcePort: port.optional(),
    send: z.string(),
    timeoutSeconds: duration,
  }),
  z.strictObject({
    kind: z.literal('ping'),
    host: nonEmpty,
    count: z.int().min(1),
    timeoutSeconds: duration,
  }),
  z.strictObject({
    kind: z.literal('command'),
    argv: z.array(z.string()).min(1),
    stdin: nonEmpty.optional(),
    timeoutSeconds: duration,
  }),
])
