import { badRequest } from './status.js'

type Labels = Readonly<Record<string, string>>

/** Whether a selector matches labels. */
export type LabelPredicate = (labels: Labels) => boolean

/**
 * Parses the label selector grammar of the API (`a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`), as labels.Parse of
 * apimachinery does; throws a 400 Status when it is invalid. The empty selector selects everything.
 */
export function parseLabelSelector(text: string): LabelPredicate {
  const tokens = tokenise(text)
  if (tokens.length === 0) return () => true
  const requirements: LabelPredicate[] = []
  for (;;) {
    requirements.push(requirement(tokens))
    const next = tokens.shift()
    if (next === undefined) return (labels) => requirements.every((matches) => matches(labels))
    if (next !== ',') throw unexpected(next, "',' or the end of the selector")
    if (tokens.length === 0) throw unexpected('', 'identifier after ,')
  }
}

function tokenise(text: string): string[] {
  return text.match(/==|!=|[=!,()<>]|[^\s=!,()<>]+/g) ?? []
}

function requirement(tokens: string[]): LabelPredicate {
  const absent = tokens[0] === '!'
  if (absent) tokens.shift()
  const key = identifier(tokens.shift())
  checkKey(key)
  const next = tokens[0]
  if (absent || next === undefined || next === ',') {
    return (labels) => Object.hasOwn(labels, key) !== absent
  }
  tokens.shift()
  switch (next) {
    case '=':
    case '==':
      return oneOf(key, new Set([value(tokens)]))
    case '!=':
      return not(oneOf(key, new Set([value(tokens)])))
    case 'in':
      return oneOf(key, values(tokens))
    case 'notin':
      return not(oneOf(key, values(tokens)))
    case '<':
    case '>':
      return compare(key, next, value(tokens))
    default:
      throw unexpected(next, 'in, notin, =, ==, !=, <, > or the end of the requirement')
  }
}

function oneOf(key: string, wanted: ReadonlySet<string>): LabelPredicate {
  for (const one of wanted) checkValue(key, one)
  return (labels) => Object.hasOwn(labels, key) && wanted.has(labels[key] ?? '')
}

function not(predicate: LabelPredicate): LabelPredicate {
  return (labels) => !predicate(labels)
}

function compare(key: string, operator: '<' | '>', bound: string): LabelPredicate {
  if (!/^[+-]?\d+$/.test(bound))
    throw badRequest(`values[0][${key}]: Invalid value: "${bound}": must be an integer`)
  return (labels) => {
    const text = labels[key]
    if (text === undefined || !/^[+-]?\d+$/.test(text)) return false
    return operator === '<' ? BigInt(text) < BigInt(bound) : BigInt(text) > BigInt(bound)
  }
}

function value(tokens: string[]): string {
  const next = tokens[0]
  if (next === undefined || next === ',') return ''
  return identifier(tokens.shift())
}

function values(tokens: string[]): ReadonlySet<string> {
  const open = tokens.shift()
  if (open !== '(') throw unexpected(open ?? '', "'('")
  const found = new Set<string>()
  for (;;) {
    const next = tokens.shift()
    if (next === ')' || next === ',') found.add('')
    else found.add(identifier(next))
    if (next === ')') return found
    if (next === ',') continue
    const after = tokens.shift()
    if (after === ')') return found
    if (after !== ',') throw unexpected(after ?? '', "',' or ')'")
    if (tokens[0] === ')') {
      tokens.shift()
      return found.add('')
    }
  }
}

function identifier(token: string | undefined): string {
  if (token === undefined || /^[=!,()<>]/.test(token)) throw unexpected(token ?? '', 'identifier')
  return token
}

const namePart = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

function checkKey(key: string): void {
  const slash = key.indexOf('/')
  const prefix = slash < 0 ? undefined : key.slice(0, slash)
  const valid = namePart.test(key.slice(slash + 1))
  if (valid && (prefix === undefined || (prefix.length <= 253 && subdomain.test(prefix)))) return
  throw badRequest(`unable to parse requirement: <nil>: Invalid value: "${key}": must be a qualified name`)
}

function checkValue(key: string, text: string): void {
  if (text === '' || namePart.test(text)) return
  throw badRequest(
    `unable to parse requirement: values[0][${key}]: Invalid value: "${text}": must be a label value`,
  )
}

function unexpected(found: string, expected: string): Error {
  return badRequest(`unable to parse requirement: found '${found}', expected: ${expected}`)
}
