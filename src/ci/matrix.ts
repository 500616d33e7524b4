import type { IpFamily } from '../cluster/types.js'

/** What a lab runs under; undefined leaves it to the machine, or to the lab. */
export interface Variant {
  readonly iptables?: 'nft' | 'legacy' | undefined
  readonly families?: readonly IpFamily[] | undefined
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

/** Every lab under every backend and every choice of families, variant by variant: neighbours can share a container. */
export function matrix(
  labs: readonly MatrixLab[],
  backends: readonly NonNullable<Variant['iptables']>[],
  families: readonly (readonly IpFamily[])[],
): Cell[] {
  const variants = orNone(backends).flatMap((iptables) =>
    orNone(families).map((chosen): Variant => ({ iptables, families: chosen })),
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
export function variantOptions({ iptables, families }: Variant): string[] {
  return [
    ...(iptables === undefined ? [] : ['--iptables', iptables]),
    ...(families === undefined ? [] : ['--families', families.join()]),
  ]
}

function variantWords({ iptables, families }: Variant): string[] {
  return [...(iptables === undefined ? [] : [iptables]), ...(families === undefined ? [] : [families.join()])]
}

function orNone<Value>(values: readonly Value[]): readonly (Value | undefined)[] {
  return values.length === 0 ? [undefined] : values
}
