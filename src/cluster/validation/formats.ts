/**
 * Formats of names and values: each function returns the errors, in the words of apimachinery
 * (pkg/util/validation/validation.go); none when the value is valid.
 */
export type Format = (value: string) => string[]

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label}(\\.${label})*`
const searchLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const search = `${searchLabel}(\\.${searchLabel})*`
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'

// Compiled once, because every name of a large file is checked.
const whole = (source: string): RegExp => new RegExp(`^(?:${source})$`)
const labelPattern = whole(label)
const subdomainPattern = whole(subdomain)
const searchPattern = whole(search)
const wildcardPattern = whole(`\\*\\.${subdomain}`)
const valuePattern = whole(`(${qualified})?`)
const qualifiedPattern = whole(qualified)

const percentPattern = whole('[0-9]+%')
const keyPattern = whole('[-._a-zA-Z0-9]+')
const headerPattern = whole('[-A-Za-z0-9]+')

const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character"
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"
const searchRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character"
const qualifiedRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const labelValueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const percentRule = "a valid percent string must be a numeric string followed by an ending '%'"
const keyRule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
const headerRule = "a valid HTTP header must consist of alphanumeric characters or '-'"
const wildcardRule =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character"

/** One part of a DNS name. */
export const dnsLabel: Format = (value) => [
  ...maxLength(value, 63),
  ...(!labelPattern.test(value) && subdomainPattern.test(value)
    ? ['must not contain dots']
    : pattern(value, labelPattern, labelRule, ['my-name', '123-abc'])),
]

/** A DNS name. */
export const dnsSubdomain: Format = (value) => [
  ...maxLength(value, 253),
  ...pattern(value, subdomainPattern, subdomainRule, ['example.com']),
]

// Label keys have their own copy of this check, which counts bytes (k8s.io/apimachinery/pkg/api/validate/content).
const labelPrefix: Format = (value) => [
  ...maxBytes(value, 253),
  ...pattern(value, subdomainPattern, subdomainRule, ['example.com']),
]

/** A search domain of a pod: labels may begin with an underscore. */
export const searchDomain: Format = (value) => [
  ...maxLength(value, 253),
  ...pattern(value, searchPattern, searchRule, ['example.com']),
]

/** A name that can be a part of a URL's path (IsValidPathSegmentName). */
export const pathSegment: Format = (value) => {
  if (value === '.' || value === '..') return [`may not be '${value}'`]
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`)
}

/** A wildcard DNS name. */
export const wildcardSubdomain: Format = (value) => [
  ...maxLength(value, 253),
  ...pattern(value, wildcardPattern, wildcardRule, ['*.example.com']),
]

/** The value of a label. */
export const labelValue: Format = (value) => [
  ...maxBytes(value, 63),
  ...pattern(value, valuePattern, labelValueRule, ['MyValue', 'my_value', '12345']),
]

/** The key of a label or annotation: `name` or `prefix/name`. */
export const qualifiedName: Format = (value) => {
  const parts = value.split('/')
  const name = parts.at(-1) ?? ''
  const examples = ['MyName', 'my.name', '123-abc']
  if (parts.length > 2)
    return [
      `a valid label key ${qualifiedRule} ${explain(qualifiedPattern, examples)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  const prefix = parts.length === 2 ? parts[0] : undefined
  const prefixErrors = prefix === undefined ? [] : prefix === '' ? ['must be non-empty'] : labelPrefix(prefix)
  const nameErrors = name === '' ? ['must be non-empty'] : maxBytes(name, 63)
  return [
    ...prefixErrors.map((error) => `prefix part ${error}`),
    ...[...nameErrors, ...pattern(name, qualifiedPattern, qualifiedRule, examples)].map(
      (error) => `name part ${error}`,
    ),
  ]
}

/** A percentage (IsValidPercent). */
export const percent: Format = (value) => pattern(value, percentPattern, percentRule, ['1%', '93%'])

/** The name of an environment variable, or its prefix (IsRelaxedEnvVarName). */
export const envName: Format = (value) =>
  /^[ -<>-~]+$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]

/** A key of a ConfigMap or Secret, which becomes a file name (IsConfigMapKey). */
export const configKey: Format = (value) => [
  ...maxLength(value, 253),
  ...pattern(value, keyPattern, keyRule, ['key.name', 'KEY_NAME', 'key-name']),
  ...(value === '.' ? ["must not be '.'"] : value === '..' ? ["must not be '..'"] : []),
  ...(value.startsWith('..') && value !== '..' ? ["must not start with '..'"] : []),
]

/** The name of a header of HTTP (IsHTTPHeaderName). */
export const headerName: Format = (value) => pattern(value, headerPattern, headerRule, ['X-Header-Name'])

/** The name of a port (RFC 6335). */
export const portName: Format = (value) => [
  ...(value.length > 15 ? ['must be no more than 15 characters'] : []),
  ...(/^[-a-z0-9]+$/.test(value)
    ? []
    : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
  ...(/[a-z]/.test(value) ? [] : ['must contain at least one letter (a-z)']),
  ...(value.includes('--') ? ['must not contain consecutive hyphens'] : []),
  ...(/^-|-$/.test(value) ? ['must not begin or end with a hyphen'] : []),
]

/** The number of a port. */
export function portNumber(value: number): string[] {
  return value >= 1 && value <= 65535 ? [] : ['must be between 1 and 65535, inclusive']
}

function maxLength(value: string, most: number): string[] {
  return Buffer.byteLength(value) > most ? [`must be no more than ${most} characters`] : []
}

function maxBytes(value: string, most: number): string[] {
  return Buffer.byteLength(value) > most ? [`must be no more than ${most} bytes`] : []
}

function pattern(value: string, format: RegExp, rule: string, examples: readonly string[]): string[] {
  return format.test(value) ? [] : [`${rule} ${explain(format, examples)}`]
}

function explain(format: RegExp, examples: readonly string[]): string {
  const source = format.source.slice('^(?:'.length, -')$'.length)
  return `(e.g. ${examples.map((example) => `'${example}'`).join(',  or ')}, regex used for validation is '${source}')`
}
