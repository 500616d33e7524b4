const suffixes: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
}

/**
 * The number of a quantity (`250m`, `64Mi`, `1e3`); undefined when it is invalid (apimachinery's resource.Quantity).
 */
export function quantityValue(quantity: string): number | undefined {
  const [, number, exponent, suffix = ''] =
    /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i))?$/.exec(quantity) ?? []
  const factor = suffixes[suffix]
  if (number === undefined || factor === undefined) return undefined
  return Number(number) * (exponent === undefined ? factor : Number(`1${exponent}`))
}

/** A quantity in units, rounded up; the default unit is one. Undefined when either is invalid. */
export function inUnits(quantity: string, unit: string): string | undefined {
  const value = quantityValue(quantity)
  const divisor = unit === '' || unit === '0' ? 1 : quantityValue(unit)
  if (value === undefined || divisor === undefined || divisor === 0) return undefined
  // 0.1 / 0.001 is not quite 100 in binary
  return String(Math.ceil(Number((value / divisor).toPrecision(12))))
}
