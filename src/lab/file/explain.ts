import type { z } from 'zod'
import type { Problem } from '../../errors.js'
import { shorten } from '../../names/braces.js'
import { didYouMean } from '../../text/nearestName.js'
import type { YamlFile } from './readYaml.js'
import { topologySchema } from './topologySchema.js'

type Issue = z.core.$ZodIssue
type Path = readonly (string | number)[]

/** The words of a list of alternatives: `a, b or c`. */
function either(words: readonly string[]): string {
  return words.join(', ').replace(/, ([^,]*)$/, ' or $1')
}

/**
 * The `error` option for `safeParse`: for unknown keys the message contains the known ones, which the issue itself does
 * not contain; `problemsOf` turns them into a hint.
 */
export function knownKeys(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined
  const definition = (issue.inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def
  return Object.keys(definition?.shape ?? {}).join(' ')
}

/** The problems that a validation found, in terms of the lab file, each with its position. */
export function problemsOf(error: z.ZodError, file: YamlFile): Problem[] {
  return explainAll(error.issues, [], file)
}

/** `"from" in step 2`: a path of the lab file, for messages. */
export function subject(path: Path): string {
  const last = path.at(-1)
  if (last === undefined) return 'the lab'
  if (isStep(path) && path.length === 2) return `${oneOf(path)} ${Number(last) + 1}`
  if (typeof last === 'string') return `"${shorten(last)}"${inside(path.slice(0, -1))}`
  const list = path.at(-2)
  return `entry ${last + 1} of "${list}"${inside(path.slice(0, -2))}`
}

/** ` in expect of step 2`: what contains a path, for messages; empty at the top. */
export function inside(path: Path): string {
  const rest = isStep(path) ? path.slice(2) : path
  const words = rest.map((part) => (typeof part === 'number' ? `entry ${part + 1}` : shorten(part))).join('.')
  if (!isStep(path)) return words === '' ? '' : ` in ${words}`
  const step = `${oneOf(path)} ${Number(path[1]) + 1}`
  return words === '' ? ` in ${step}` : ` in ${words} of ${step}`
}

/** The value at a path of what was read. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? inner[key as never]
        : undefined,
    value,
  )
}

/** Drops "is missing" for a mapping that has an unknown field: it is probably the missing one, misspelled. */
function explainAll(issues: readonly Issue[], base: Path, file: YamlFile): Problem[] {
  const mistyped = issues
    .filter((issue) => issue.code === 'unrecognized_keys')
    .map((issue) => issue.path.join('\n'))
  return issues
    .filter((issue) => issue.code !== 'custom' || !mistyped.includes(issue.path.join('\n')))
    .flatMap((issue) => explain(issue, [...base, ...issue.path.filter(isKey)], file))
}

function explain(issue: Issue, path: Path, file: YamlFile): Problem[] {
  const at = file.at(path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        message: `unknown field "${shorten(key)}"${inside(path)}`,
        at: file.keyAt([...path, key]),
        hint: placeOf(path, key) ?? didYouMean(key, issue.message.split(' ')),
      }))
    case 'invalid_key':
      return [
        {
          message: `"${shorten(String(path.at(-1)))}"${inside(path.slice(0, -1))} ${issue.issues[0]?.message ?? 'is not allowed'}`,
          at: file.keyAt(path),
        },
      ]
    case 'invalid_union':
      return explainUnion(issue, path, file)
    default:
      return [{ ...wording(issue, path, valueAt(file.value, path)), at }]
  }
}

/** Where a field of `topology` belongs that is at the top of lab.yaml. */
function placeOf(path: Path, key: string): string | undefined {
  return path.length === 0 && Object.hasOwn(topologySchema.shape, key)
    ? 'it belongs in "topology"'
    : undefined
}

/** Reports the problems of the alternative that the value is closest to. */
function explainUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path, file: YamlFile): Problem[] {
  const value = valueAt(file.value, path)
  const near = issue.errors.filter((issues) => !issues.some((one) => isOtherShape(one, value)))
  const [closest] = near.sort((a, b) => a.length - b.length)
  if (closest) return explainAll(closest, path, file)
  const shapes = [...new Set(issue.errors.flatMap((issues) => issues.flatMap(shapeWords)))]
  return [{ message: mustBe(path, either(shapes), value), at: file.at(path) }]
}

/** True when an issue says that the value as a whole is of another type, not that something in it is wrong. */
function isOtherShape(issue: Issue, value: unknown): boolean {
  if (issue.path.length > 0) return false
  if (issue.code === 'invalid_type') return true
  if (issue.code === 'invalid_value') return !issue.values.some((one) => typeof one === typeof value)
  return (
    issue.code === 'invalid_union' &&
    issue.errors.every((issues) => issues.some((one) => isOtherShape(one, value)))
  )
}

function shapeWords(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [typeWords[issue.expected] ?? issue.expected]
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value))
  return issue.code === 'invalid_union' ? issue.errors.flatMap((issues) => issues.flatMap(shapeWords)) : []
}

function wording(issue: Issue, path: Path, value: unknown): { message: string; hint?: string | undefined } {
  switch (issue.code) {
    case 'invalid_type': {
      const quoted = issue.expected === 'string' && ['number', 'boolean'].includes(typeof value)
      return {
        message: mustBe(path, typeWords[issue.expected] ?? issue.expected, value),
        hint: quoted ? 'write it in quotes' : undefined,
      }
    }
    case 'invalid_value': {
      const values = issue.values.map(String)
      return {
        message: mustBe(path, either(values.map((one) => `"${one}"`)), value),
        hint: typeof value === 'string' ? didYouMean(value, values) : undefined,
      }
    }
    case 'too_small':
      return {
        message: `${subject(path)} ${issue.origin === 'string' || issue.origin === 'array' ? 'must not be empty' : `must be at least ${issue.minimum}`}`,
      }
    case 'too_big':
      return {
        message: `${subject(path)} ${tooBig[issue.origin]?.(issue.maximum) ?? `must be at most ${issue.maximum}`}`,
      }
    default:
      return { message: `${subject(path)} ${issue.message}` }
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
}

const tooBig: Readonly<Record<string, (maximum: number | bigint) => string>> = {
  string: (maximum) => `must have at most ${maximum} characters`,
  array: (maximum) => `must have at most ${maximum} entries`,
}

function mustBe(path: Path, what: string, value: unknown): string {
  return value === undefined
    ? `${subject(path)} is missing`
    : `${subject(path)} must be ${what}, not ${found(value)}`
}

function found(value: unknown): string {
  if (typeof value === 'string') return `"${shorten(value, 40)}"`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  return value === null ? 'nothing' : 'a mapping'
}

/** Lists of steps and questions of lab.yaml and exercise.yaml; and what one of each is called. */
const stepLists: Readonly<Record<string, string>> = {
  steps: 'step',
  faults: 'fault',
  checks: 'check',
  quizzes: 'question',
}

function isStep(path: Path): boolean {
  return typeof path[0] === 'string' && Object.hasOwn(stepLists, path[0]) && typeof path[1] === 'number'
}

function oneOf([list]: Path): string {
  return stepLists[list ?? ''] ?? ''
}

function isKey(part: PropertyKey): part is string | number {
  return typeof part !== 'symbol'
}
