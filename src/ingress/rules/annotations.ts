import { isAddressOrRange } from '../../net/ranges.js'
import type { Ingress } from '../../cluster/types.js'
import type { WeightedBackend } from '../model.js'
import { warning, type Finding } from '../objects/finding.js'

/** The settings from the annotations of an Ingress. */
export interface Settings {
  rewriteTarget?: string
  useRegex?: boolean
  /** Redirect to https if the host has TLS; true by default. */
  sslRedirect?: boolean
  /** Redirect to https also without TLS for the host. */
  forceSslRedirect?: boolean
  /** Empty if the list is invalid: all clients are denied. */
  allowFrom?: readonly string[]
  maxBodyBytes?: number
  affinityCookie?: string
  protocol?: WeightedBackend['protocol']
  throughService?: boolean
  appRoot?: string
  backendTimeoutMs?: number
  canary?: Canary
}

/** An Ingress that gets a share of another one's requests. */
export interface Canary {
  /** Share of `total`. */
  readonly weight: number
  readonly total: number
  readonly header?: string | undefined
  /** The value that selects the canary; by default `always` selects it and `never` excludes it. */
  readonly headerValue?: string | undefined
  readonly headerPattern?: string | undefined
  readonly cookie?: string | undefined
}

type Reader = (value: string, settings: Settings) => string | undefined

/** The prefixes of annotations that a proxy's controller reads, in order of precedence. */
export const prefixes = {
  nginx: ['nginx.ingress.kubernetes.io'],
  haproxy: ['haproxy.org', 'nginx.ingress.kubernetes.io'],
  command: ['nginx.ingress.kubernetes.io'],
} as const

/** The settings of an Ingress; invalid annotations are findings and are ignored. */
export function settingsOf(
  ingress: Ingress,
  own: readonly string[],
): { readonly settings: Settings; readonly findings: readonly Finding[] } {
  const settings: Settings = {}
  const findings: Finding[] = []
  const annotations = Object.entries(ingress.metadata.annotations ?? {})
  // the prefix with precedence is read last
  for (const prefix of [...own].reverse())
    for (const [key, value] of annotations) {
      const [group, name = ''] = key.split('/')
      if (group !== prefix || isOfCanary(name)) continue
      const read = (prefix === 'haproxy.org' ? haproxyReaders : readers)[name]
      const problem = read === undefined ? 'vethlab does not support this annotation' : read(value, settings)
      if (problem !== undefined) findings.push(warning(ingress, 'InvalidAnnotation', `${key}: ${problem}`))
    }
  const { canary, problems } = canaryOf(ingress, own)
  if (canary !== undefined) settings.canary = canary
  return {
    settings,
    findings: [...findings, ...problems.map((problem) => warning(ingress, 'InvalidAnnotation', problem))],
  }
}

const readers: Readonly<Record<string, Reader>> = {
  'rewrite-target': path((value, settings) => (settings.rewriteTarget = value)),
  'use-regex': flag((value, settings) => (settings.useRegex = value)),
  'ssl-redirect': flag((value, settings) => (settings.sslRedirect = value)),
  'force-ssl-redirect': flag((value, settings) => (settings.forceSslRedirect = value)),
  'service-upstream': flag((value, settings) => (settings.throughService = value)),
  'app-root': path((value, settings) => (settings.appRoot = value)),
  'whitelist-source-range': ranges,
  'allowlist-source-range': ranges,
  'proxy-body-size': (value, settings) => {
    const bytes = sizeOf(value)
    if (bytes === undefined) return `${JSON.stringify(value)} is not a size, such as 8m`
    settings.maxBodyBytes = bytes
    return undefined
  },
  'proxy-read-timeout': (value, settings) => {
    if (!/^[1-9]\d{0,5}$/.test(value)) return `${JSON.stringify(value)} is not a number of seconds`
    settings.backendTimeoutMs = Number(value) * 1000
    return undefined
  },
  affinity: (value, settings) => {
    if (value !== 'cookie') return `${JSON.stringify(value)} is not supported; use cookie`
    settings.affinityCookie ??= 'INGRESSCOOKIE'
    return undefined
  },
  'session-cookie-name': (value, settings) => {
    if (!/^[\w-]{1,64}$/.test(value)) return `${JSON.stringify(value)} is not a valid cookie name`
    settings.affinityCookie = value
    return undefined
  },
  'backend-protocol': (value, settings) => {
    const protocol = (['HTTP', 'HTTPS', 'GRPC', 'GRPCS'] as const).find((one) => one === value.toUpperCase())
    if (protocol === undefined) return `${JSON.stringify(value)} is not HTTP, HTTPS, GRPC or GRPCS`
    settings.protocol = protocol
    return undefined
  },
}

/** The annotations of the HAProxy ingress controller that are equivalent to one of the above. */
const haproxyReaders: Readonly<Record<string, Reader>> = {
  'ssl-redirect': flag((value, settings) => {
    settings.sslRedirect = value
    settings.forceSslRedirect = value
  }),
  'allow-list': ranges,
  whitelist: ranges,
  'path-rewrite': (value, settings) => {
    if (/\s/.test(value)) return 'rewriting with a separate expression is not supported; use rewrite-target'
    return path((target, to: Settings) => (to.rewriteTarget = target))(value, settings)
  },
  'cookie-persistence': (value, settings) => readers['session-cookie-name']?.(value, settings),
  'server-ssl': flag((value, settings) => (settings.protocol = value ? 'HTTPS' : 'HTTP')),
  'server-proto': (value, settings) => {
    if (value !== 'h2') return `${JSON.stringify(value)} is not supported; use h2`
    settings.protocol = 'H2C'
    return undefined
  },
}

/** The names of supported annotations, without their prefix; those of canaries are canary-*. @public for the test of the docs */
export const annotationNames = { nginx: Object.keys(readers), haproxy: Object.keys(haproxyReaders) }

function flag(set: (value: boolean, settings: Settings) => void): Reader {
  return (value, settings) => {
    if (value !== 'true' && value !== 'false') return `${JSON.stringify(value)} is neither true nor false`
    set(value === 'true', settings)
    return undefined
  }
}

function path(set: (value: string, settings: Settings) => void): Reader {
  return (value, settings) => {
    // a rewrite may start with a group that contains the slash
    if (!/^[/$]/.test(value) || /\s/.test(value)) return `${JSON.stringify(value)} is not a path`
    set(value, settings)
    return undefined
  }
}

function ranges(value: string, settings: Settings): string | undefined {
  const all = value.split(',').map((range) => range.trim())
  const wrong = all.filter((range) => !isAddressOrRange(range))
  // allow-lists fail closed
  settings.allowFrom = wrong.length > 0 ? [] : all
  if (wrong.length === 0) return undefined
  return `${wrong.map((range) => JSON.stringify(range)).join(', ')} is not an address range; all clients are denied`
}

function sizeOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,12})([kmg]?)$/i.exec(text) ?? []
  if (digits === undefined) return undefined
  return Number(digits) * ({ k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[unit.toLowerCase()] ?? 1)
}

function isOfCanary(name: string): boolean {
  return name === 'canary' || name.startsWith('canary-')
}

function canaryOf(
  { metadata }: Ingress,
  own: readonly string[],
): { readonly canary?: Canary; readonly problems: readonly string[] } {
  const prefix = own.find((one) => metadata.annotations?.[`${one}/canary`] !== undefined)
  const given = (name: string) => metadata.annotations?.[`${prefix}/${name}`]
  if (prefix === undefined || given('canary') === 'false') return { problems: [] }
  const problems: string[] = []
  if (given('canary') !== 'true') return { problems: [`${prefix}/canary is neither true nor false`] }
  const number = (name: string, otherwise: number) => {
    const value = given(name)
    if (value === undefined || /^\d{1,9}$/.test(value)) return Number(value ?? otherwise)
    problems.push(`${prefix}/${name}: ${JSON.stringify(value)} is not a number`)
    return otherwise
  }
  const total = number('canary-weight-total', 100)
  const weight = number('canary-weight', 0)
  if (weight > total) problems.push(`${prefix}/canary-weight is more than the total, ${total}`)
  const name = (which: string) => {
    const value = given(which)
    if (value === undefined || /^[\w-]{1,128}$/.test(value)) return value
    problems.push(`${prefix}/${which}: ${JSON.stringify(value)} is not a valid name`)
    return undefined
  }
  const canary = {
    total: Math.max(1, total),
    weight: Math.min(weight, Math.max(1, total)),
    header: name('canary-by-header'),
    headerValue: given('canary-by-header-value'),
    headerPattern: given('canary-by-header-pattern'),
    cookie: name('canary-by-cookie'),
  }
  return { canary, problems }
}
