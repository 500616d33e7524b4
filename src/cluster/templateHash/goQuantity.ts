import { canonicalQuantity } from '../quantity.js'

const decimalPowers = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/**
 * What spew prints of a resource.Quantity that was parsed from its canonical text: an int64 and a scale, or a decimal of
 * any size, and sometimes the text itself (ParseQuantity). Without a value it is Go's zero value.
 */
export function dumpedQuantity(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return parts({})
  const text = canonicalQuantity(`${value}`)
  if (text === '0') return parts({ text, format: 'DecimalSI' })
  const [, sign = '', digits = '', suffix = ''] = /^(-?)(\d+)(.*)$/.exec(text) ?? []
  const amount = BigInt(digits) * (sign === '-' ? -1n : 1n)
  const binary = binarySuffixes.indexOf(suffix) + 1
  return binary === 0
    ? decimal(amount, digits.length, suffix, text)
    : binaryAmount(amount, digits.length, binary * 10, text)
}

interface Parts {
  readonly value?: bigint
  readonly scale?: number
  readonly decimal?: string
  readonly text?: string
  readonly format?: string
}

function parts({ value = 0n, scale = 0, decimal = '<nil>', text = '', format = '' }: Parts): string {
  const amount = `i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`
  return `{${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)${decimal}} s:(string)${text} Format:(resource.Format)${format}}`
}

function decimal(value: bigint, digits: number, suffix: string, text: string): string {
  const isExponent = /^e-?\d+$/.test(suffix)
  const format = isExponent ? 'DecimalExponent' : 'DecimalSI'
  const scale = isExponent ? Number(suffix.slice(1)) : (decimalPowers.indexOf(suffix) - 3) * 3
  if (digits > 18) return parts({ decimal: infDec(value * 10n ** BigInt(scale + 9)), format })
  const isCanonical = scale % 3 === 0 && value % 1000n !== 0n
  return parts({ value, scale, format, ...(isCanonical ? { text } : {}) })
}

function binaryAmount(value: bigint, digits: number, exponent: number, text: string): string {
  const shifted = value << BigInt(exponent)
  const format = 'BinarySI'
  const precision = 15 - digits - Math.trunc((exponent * 3) / 10) - 1
  if (precision < 0) return parts({ decimal: infDec(shifted * 10n ** 9n), format })
  return parts({ value: shifted, format, ...((value & 7n) === 0n ? {} : { text }) })
}

/** A decimal of billionths, as words of 64 bits, the lowest first. */
function infDec(value: bigint): string {
  const words: bigint[] = []
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest))
  return `{unscaled:(big.Int){neg:(bool)${value < 0n} abs:(big.nat)[${words.join(' ')}]} scale:(inf.Scale)9}`
}
