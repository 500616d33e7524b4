import { Unusual, type Scalar } from './usual.js'

/**
 * The value of a plain (unquoted) scalar as the YAML library of Kubernetes reads it (goyaml v2, YAML 1.1): `yes`, `on`
 * and `y` are booleans, `0755` is octal, dates are text. So `value: yes` in an env list fails with the same message as
 * in a real cluster.
 */
export function plainScalar(source: string): Scalar {
  if (nulls.has(source)) return null
  if (trues.has(source)) return true
  if (falses.has(source)) return false
  return number(source) ?? source
}

/** The value of a plain scalar of YAML 1.2 (core schema, chapter 10.3), of which files of vethlab itself are written. */
export function coreScalar(source: string): Scalar {
  if (nulls.has(source)) return null
  if (coreTrues.has(source)) return true
  if (coreFalses.has(source)) return false
  if (/^(?:0|-?[1-9][0-9]{0,14})$/.test(source)) return Number(source)
  if (otherCoreNumber.test(source)) throw new Unusual()
  return source
}

const coreTrues: ReadonlySet<string> = new Set(['true', 'True', 'TRUE'])
const coreFalses: ReadonlySet<string> = new Set(['false', 'False', 'FALSE'])
const otherCoreNumber =
  /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN|[-+]?(?:\.[0-9]*|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]*)?)$/

const nulls: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL'])
const trues: ReadonlySet<string> = new Set('y Y yes Yes YES true True TRUE on On ON'.split(' '))
const falses: ReadonlySet<string> = new Set('n N no No NO false False FALSE off Off OFF'.split(' '))

const integers: readonly (readonly [RegExp, number])[] = [
  [/^[-+]?0[xX][0-9a-fA-F]+$/, 16],
  [/^[-+]?0[bB][01]+$/, 2],
  [/^[-+]?0[oO]?[0-7]+$/, 8],
  [/^[-+]?(0|[1-9][0-9]*)$/, 10],
]
const decimal = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/

function number(source: string): number | undefined {
  if (!/^[-+.0-9]/.test(source)) return undefined
  const text = source.replaceAll('_', '')
  const base = integers.find(([pattern]) => pattern.test(text))?.[1]
  if (base !== undefined) {
    const digits = text.replace(/^[-+]/, '').replace(/^0[xXbBoO]/, '')
    const value = Number.parseInt(digits, base)
    return text.startsWith('-') && value !== 0 ? -value : value
  }
  return decimal.test(text) ? finite(Number(text)) : undefined
}

// JSON has no infinity: such a large number stays text, which is rejected when a number is required.
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}
