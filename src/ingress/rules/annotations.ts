import { addressFamily, parseRange } from '../../net/ranges.js'
import type { Ingress } from '../../cluster/types.js'
import type { WeightedBackend } from '../model.js'
import { warning, type Finding } from '../objects/finding.js'

/** What the annotations of an Ingress ask for. */
export interface Settings {
  rewriteTarget?: string
  useRegex?: boolean
  /** To https where the host has TLS; true unless told otherwise. */
  sslRedirect?: boolean
  /** To https whether or not the host has TLS here. */
  forceSslRedirect?: boolean
  /** None: nobody may ask, for the list cannot be read. */
  allowFrom?: readonly string[]
  maxBodyBytes?: number
  affinityCookie?: string
  protocol?: WeightedBackend['protocol']
  throughService?: boolean
  appRoot?: string
  backendTimeoutMs?: number
  canary?: Canary
}

/** An Ingress that takes a share of another one's requests. */
export interface Canary {
  /** Of `total`. */
  readonly weight: number
  readonly total: number
  readonly header?: string | undefined
  /** The value that sends to the canary; without one `always` does, and `never` keeps away. */
  readonly headerValue?: string | undefined
  readonly headerPattern?: string | undefined
  readonly cookie?: string | undefined
}

type Reader = (value: string, settings: Settings) => string | undefined

/** The prefixes of annotations that a proxy's controller reads, the one that goes before first. */
export const prefixes = {
  nginx: ['nginx.ingress.kubernetes.io'],
  haproxy: ['haproxy.org', 'nginx.ingress.kubernetes.io'],
  command: ['nginx.ingress.kubernetes.io'],
} as const

/** The settings of an Ingress; what cannot be read is a finding, and the Ingress is served without it. */
export function settingsOf(
  ingress: Ingress,
  own: readonly string[],
): { readonly settings: Settings; readonly findings: readonly Finding[] } {
  const settings: Settings = {}
  const findings: Finding[] = []
  const annotations = Object.entries(ingress.metadata.annotations ?? {})
  // the prefix that goes before is read last
  for (const prefix of [...own].reverse())
    for (const [key, value] of annotations) {
      const [group, name = ''] = key.split('/')
      if (group !== prefix || isOfCanary(name)) continue
      const read = (prefix === 'haproxy.org' ? haproxyReaders : readers)[name]
      const problem = read === undefined ? 'vethlab has no such annotation' : read(value, settings)
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
    if (bytes === undefined) return `${JSON.stringify(value)} is no size, such as 8m`
    settings.maxBodyBytes = bytes
    return undefined
  },
  'proxy-read-timeout': (value, settings) => {
    if (!/^[1-9]\d{0,5}$/.test(value)) return `${JSON.stringify(value)} is no number of seconds`
    settings.backendTimeoutMs = Number(value) * 1000
    return undefined
  },
  affinity: (value, settings) => {
    if (value !== 'cookie') return `${JSON.stringify(value)} is none; there is cookie`
    settings.affinityCookie ??= 'INGRESSCOOKIE'
    return undefined
  },
  'session-cookie-name': (value, settings) => {
    if (!/^[\w-]{1,64}$/.test(value)) return `${JSON.stringify(value)} is no name of a cookie`
    settings.affinityCookie = value
    return undefined
  },
  'backend-protocol': (value, settings) => {
    const protocol = (['HTTP', 'HTTPS', 'GRPC', 'GRPCS'] as const).find((one) => one === value.toUpperCase())
    if (protocol === undefined) return `${JSON.stringify(value)} is none of HTTP, HTTPS, GRPC and GRPCS`
    settings.protocol = protocol
    return undefined
  },
}

/** Those of HAProxy's own controller that mean the same as one of the above. */
const haproxyReaders: Readonly<Record<string, Reader>> = {
  'ssl-redirect': flag((value, settings) => {
    settings.sslRedirect = value
    settings.forceSslRedirect = value
  }),
  'allow-list': ranges,
  whitelist: ranges,
  'path-rewrite': (value, settings) => {
    if (/\s/.test(value)) return 'rewriting by an expression of its own is not built; use rewrite-target'
    return path((target, to: Settings) => (to.rewriteTarget = target))(value, settings)
  },
  'cookie-persistence': (value, settings) => readers['session-cookie-name']?.(value, settings),
  'server-ssl': flag((value, settings) => (settings.protocol = value ? 'HTTPS' : 'HTTP')),
  'server-proto': (value, settings) => {
    if (value !== 'h2') return `${JSON.stringify(value)} is none; there is h2`
    settings.protocol = 'H2C'
    return undefined
  },
}

/** The names of annotations that are read, without their prefix; those of canaries are canary-*. @public for the test of the docs */
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
    // a rewrite may begin with a group that holds the slash
    if (!/^[/$]/.test(value) || /\s/.test(value)) return `${JSON.stringify(value)} is no path`
    set(value, settings)
    return undefined
  }
}

function ranges(value: string, settings: Settings): string | undefined {
  const all = value.split(',').map((range) => range.trim())
  const wrong = all.filter((range) => parseRange(range) === undefined && addressFamily(range) === undefined)
  // what cannot be read must not open what was to be closed
  settings.allowFrom = wrong.length > 0 ? [] : all
  if (wrong.length === 0) return undefined
  return `${wrong.map((range) => JSON.stringify(range)).join(', ')} is no address range; nobody may ask`
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
    problems.push(`${prefix}/${name}: ${JSON.stringify(value)} is no number`)
    return otherwise
  }
  const total = number('canary-weight-total', 100)
  const weight = number('canary-weight', 0)
  if (weight > total) problems.push(`${prefix}/canary-weight is more than all, ${total}`)
  const name = (which: string) => {
    const value = given(which)
    if (value === undefined || /^[\w-]{1,128}$/.test(value)) return value
    problems.push(`${prefix}/${which}: ${JSON.stringify(value)} is no name`)
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
