import type { IpFamily } from '../net/ipFamily.js'
import type { ModeName } from '../agents/kubeProxy/config.js'

/** The configuration that a lab runs with; undefined: the default of the host or the lab. */
export interface Variant {
  readonly iptables?: 'nft' | 'legacy' | undefined
  readonly families?: readonly IpFamily[] | undefined
  readonly mode?: ModeName | undefined
}

/** One run of one lab. */
export interface Cell {
  /** Unique within a matrix; shown in reports. */
  readonly name: string
  /** The lab's folder, or its name if it is in the image. */
  readonly lab: string
  readonly variant: Variant
}

/** A lab of a matrix. */
export interface MatrixLab {
  readonly name: string
  readonly lab: string
}

/** Every lab with every backend, choice of families and mode of kube-proxy; sorted by variant, so that neighbours can share a container. */
export function matrix(
  labs: readonly MatrixLab[],
  backends: readonly NonNullable<Variant['iptables']>[],
  families: readonly (readonly IpFamily[])[],
  modes: readonly ModeName[] = [],
): Cell[] {
  const variants = orNone(backends).flatMap((iptables) =>
    orNone(families).flatMap((chosen) =>
      orNone(modes).map((mode): Variant => ({ iptables, families: chosen, mode })),
    ),
  )
  return variants.flatMap((variant) =>
    labs.map(({ name, lab }) => ({
      name: [name, ...variantWords(variant)].join(' '),
      lab,
      variant,
    })),
  )
}

/** The `vethlab run` options of a variant. */
export function variantOptions({ iptables, families, mode }: Variant): string[] {
  return [
    ...(iptables === undefined ? [] : ['--iptables', iptables]),
    ...(families === undefined ? [] : ['--families', families.join()]),
    ...(mode === undefined ? [] : ['--mode', mode]),
  ]
}

function variantWords({ iptables, families, mode }: Variant): string[] {
  return [iptables, families?.join(), mode].filter((word) => word !== undefined)
}

function orNone<Value>(values: readonly Value[]): readonly (Value | undefined)[] {
  return values.length === 0 ? [undefined] : values
}
