import { isRecord } from '../manifests/loose.js'
import { invalid, oneOf, required, type FieldError, type Path } from './fieldErrors.js'
import type { Format } from './formats.js'

/** A rule for a value: its errors at a path. A missing value is undefined, and passes unless the rule says otherwise. */
export type Rule = (path: Path, value: unknown) => FieldError[]

/** The rules for the fields of a mapping, in the order of the errors. */
export function fields(rules: Readonly<Record<string, Rule>>): Rule {
  return (path, value) =>
    isRecord(value)
      ? Object.entries(rules).flatMap(([field, rule]) => rule([...path, field], value[field]))
      : []
}

/** A rule for each element of a list. */
export function each(rule: Rule): Rule {
  return (path, value) =>
    Array.isArray(value) ? value.flatMap((item, index) => rule([...path, index], item)) : []
}

/** Several rules for one value, all of which apply. */
export function all(...rules: readonly Rule[]): Rule {
  return (path, value) => rules.flatMap((rule) => rule(path, value))
}

/** A name in this format; an empty one passes. */
export function formatted(format: Format): Rule {
  return (path, value) => (value === '' ? [] : textOf(format)(path, value))
}

/** Text in this format. */
export function textOf(format: Format): Rule {
  return (path, value) =>
    typeof value === 'string' ? format(value).map((detail) => invalid(path, value, detail)) : []
}

/** A value of a closed list. */
export function supported(values: readonly string[]): Rule {
  return (path, value) => (typeof value === 'string' ? oneOf(path, value, values) : [])
}

/** Text that is not empty. */
export function filled(detail = ''): Rule {
  return (path, value) => (value === '' || value === undefined ? [required(path, detail)] : [])
}

/** A number that passes a test. */
export function number(passes: (value: number) => boolean, detail: string): Rule {
  return (path, value) => (typeof value === 'number' && !passes(value) ? [invalid(path, value, detail)] : [])
}

/** A number in a range (InclusiveRangeError). */
export function between(least: number, most: number): Rule {
  return number((value) => value >= least && value <= most, `must be between ${least} and ${most}, inclusive`)
}

/** A number that is not negative (ValidateNonnegativeField). */
export const nonNegative: Rule = number((value) => value >= 0, 'must be greater than or equal to 0')

/** A number above zero. */
export const positive: Rule = number((value) => value > 0, 'must be greater than zero')
