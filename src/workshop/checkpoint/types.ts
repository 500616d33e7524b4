import * as z from 'zod'

const rules = z.partialRecord(z.enum(['IPv4', 'IPv6']), z.string())

const place = z.strictObject({
  /** What iptables-save prints, by family. */
  rules,
  /** Lines of `ip route`, without those that the kernel writes, by family. */
  routes: rules,
  /** Lines of `ip rule`, by family. */
  policies: rules,
  /** Lines of `sysctl -a` below `net.`, without those of pods' links. */
  sysctls: z.string(),
})

/** Metadata of an object, as far as a checkpoint reads it. */
const metadata = z.looseObject({
  name: z.string(),
  namespace: z.string().optional(),
  ownerReferences: z.array(z.unknown()).optional(),
})

const object = z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata })

/** A lab as a checkpoint holds it. */
export const checkpointSchema = z.strictObject({
  savedAt: z.string(),
  objects: z.array(object),
  /** Kernel state of nodes and clients, by name. */
  places: z.record(z.string(), place),
  /** Nodes on which the rules of kube-proxy were those that it writes. */
  synced: z.array(z.string()),
})

export type Checkpoint = z.infer<typeof checkpointSchema>
export type PlaceState = z.infer<typeof place>
export type SavedObject = z.infer<typeof object>
