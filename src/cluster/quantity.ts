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

/** Why the API server does not read the text as a quantity; undefined when it does (ParseQuantity). */
export function quantityProblem(text: string): string | undefined {
  const [, number, suffix = ''] = /^([+-]?\d*(?:\.\d*)?)([eEinumkKMGTP]*[-+]?\d*)$/.exec(text) ?? []
  if (text === '' || number === undefined)
    return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
  const known = Object.hasOwn(suffixes, suffix) || /^[eE][-+]?\d+$/.test(suffix)
  return known ? undefined : "unable to parse quantity's suffix"
}

/** A quantity as the API server writes it: the largest suffix that needs no fraction (Quantity.String). */
export function canonicalQuantity(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent, suffix = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+)|(\D*))$/.exec(text) ?? []
  const binary = suffix.endsWith('i')
  const power = exponent === undefined ? (binary ? 0 : decimalPower(suffix)) : Number(exponent)
  // billionths, rounded up; no cluster has amounts beyond 10^50
  const scale = Math.max(-400, Math.min(60, power + 9 - fraction.length))
  const digits = BigInt(`${whole}${fraction}` || '0') * (binary ? BigInt(suffixes[suffix] ?? 1) : 1n)
  const ten = 10n ** BigInt(Math.abs(scale))
  const value = scale >= 0 ? digits * ten : (digits + ten - 1n) / ten
  const minus = sign === '-' && value !== 0n ? '-' : ''
  if (binary && value % billion === 0n && value / billion >= 1024n)
    return minus + reduced(value / billion, 1024n, ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'])
  const names =
    exponent === undefined
      ? ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
      : ['e-9', 'e-6', 'e-3', '', 'e3', 'e6', 'e9', 'e12', 'e15', 'e18']
  return value === 0n ? '0' : minus + reduced(value, 1000n, names)
}

const billion = 10n ** 9n

function decimalPower(suffix: string): number {
  return Math.round(Math.log10(suffixes[suffix] ?? 1))
}

function reduced(value: bigint, base: bigint, names: readonly string[]): string {
  let [left, index] = [value, 0]
  while (left % base === 0n && index < names.length - 1) [left, index] = [left / base, index + 1]
  return `${left}${names[index] ?? ''}`
}

/** A quantity in units, rounded up; the default unit is one. Undefined when either is invalid. */
export function inUnits(quantity: string, unit: string): string | undefined {
  const value = quantityValue(quantity)
  const divisor = unit === '' || unit === '0' ? 1 : quantityValue(unit)
  if (value === undefined || divisor === undefined || divisor === 0) return undefined
  // 0.1 / 0.001 is not quite 100 in binary
  return String(Math.ceil(Number((value / divisor).toPrecision(12))))
}
