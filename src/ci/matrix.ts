import type { IpFamily } from '../net/ipFamily.js'
import type { ModeName } from '../proxy/config.js'

/** What a lab runs under; undefined leaves it to the machine, or to the lab. */
export interface Variant {
  readonly iptables?: 'nft' | 'legacy' | undefined
  readonly families?: readonly IpFamily[] | undefined
  readonly mode?: ModeName | undefined
}

/** One run of one lab. */
export interface Cell {
  /** Unique within a matrix: what reports call it. */
  readonly name: string
  /** The lab's folder, or its name where the image has it. */
  readonly lab: string
  readonly variant: Variant
}

/** A lab that a matrix is made of. */
export interface MatrixLab {
  readonly name: string
  readonly lab: string
}

/** Every lab under every backend, choice of families and mode of kube-proxy, variant by variant: neighbours can share a container. */
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

/** The options of `vethlab run` that a variant stands for. */
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
