import fc from 'fast-check'

/** Draws random values. */
export interface Draw {
  oneOf<Value>(...values: readonly Value[]): Value
  integer(range: { readonly min: number; readonly max: number }): number
  boolean(): boolean
}

/** Draws the values of a property of fast-check, whose seed repeats them. */
export function drawFrom(generate: fc.GeneratorValue): Draw {
  const integer: Draw['integer'] = (range) => generate(integerOf, range)
  return {
    integer,
    boolean: () => integer({ min: 0, max: 1 }) === 1,
    oneOf<Value>(...values: readonly Value[]): Value {
      if (values.length === 0) throw new Error('there is nothing to choose from')
      return values[integer({ min: 0, max: values.length - 1 })] as Value
    },
  }
}

function integerOf(range: { readonly min: number; readonly max: number }): fc.Arbitrary<number> {
  return fc.integer(range)
}
