import { decode } from '../../cluster/schema/decode.js'
import type { Json } from '../../cluster/yaml/json.js'
import { didYouMean } from '../../text/nearestName.js'
import type { ConfigurationProblem, KubeProxyConfiguration } from './config.js'
import { defaultConfiguration, withDefaults } from './configDefaults.js'
import { configSchema, durationFields, type DurationField } from './configSchema.js'
import { readDuration } from './duration.js'
import { featureGatesOf, localhostProxyGate } from './featureGates.js'
import { validateConfiguration } from './validateConfig.js'
import { defaultVersion, versionText, type MinorVersion } from './versions/version.js'
import { whyNotKnown } from './versions/known.js'
import { loggingProblems } from './validateLogging.js'

/** What kube-proxy makes of a configuration. */
export interface ParsedConfiguration {
  /** The default configuration if there are problems. */
  readonly config: KubeProxyConfiguration
  /** Why kube-proxy does not start, as it prints the errors. */
  readonly problems: readonly ConfigurationProblem[]
  /** Unknown fields: kube-proxy ignores them with a line in its log. */
  readonly notices: readonly ConfigurationProblem[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads fields of KubeProxyConfiguration as written in YAML, of a kube-proxy of a version, fills in the defaults and reports what kube-proxy
 * rejects. As in kube-proxy (cmd/kube-proxy/app), each stage runs only if the stages before it found no problem: decoding,
 * feature gates, logging, validation.
 */
export function parseKubeProxyConfiguration(
  raw: Fields,
  version: MinorVersion = defaultVersion,
): ParsedConfiguration {
  const { value, problems: decoded } = decode(raw as Record<string, Json>, configSchema)
  const notices = decoded.filter(({ key }) => key).map(plain)
  const wrong = [...decoded.filter(({ key }) => !key), ...readDurations(raw, value), ...kindProblems(value)]
  const { apiVersion: _group, kind: _kind, ...fields } = value
  const config = { ...withDefaults(fields), version }
  const stages = [
    () => wrong.map((problem) => prefixed('failed complete: failed to decode', problem)),
    () => gateProblems(config).map((problem) => prefixed('failed complete', problem)),
    () => loggingProblems(config).map((problem) => prefixed('initialize logging', problem)),
    () => validateConfiguration(config).map((problem) => prefixed('failed validate', problem)),
    () => versionProblems(config),
  ]
  for (const stage of stages) {
    const problems = stage()
    if (problems.length > 0) return { config: defaultConfiguration, problems, notices }
  }
  return { config, problems: [], notices }
}

/** Replaces the durations in decoded fields by seconds. Mirrors metav1.Duration. */
function readDurations(raw: Fields, value: Record<string, unknown>): ConfigurationProblem[] {
  return durationFields.flatMap((field): ConfigurationProblem[] => {
    const parent = field.path.length === 1 ? raw : raw[field.path[0] ?? '']
    if (typeof parent !== 'object' || parent === null) return []
    const name = field.path.at(-1) ?? ''
    const written = (parent as Fields)[name]
    if (written === undefined || (written === null && field.canBeNull)) return []
    const read = duration(written, field)
    if (typeof read === 'string') return [{ path: field.path, message: read }]
    const target = field.path.length === 1 ? value : value[field.path[0] ?? '']
    if (typeof target === 'object' && target !== null) (target as Record<string, unknown>)[name] = read
    return []
  })
}

/** Seconds, or the error message. */
function duration(written: unknown, { path, structName }: DurationField): number | string {
  // the only duration that may be a number, of nanoseconds (TimeOrMetaDuration)
  if (path.at(-1) === 'flushFrequency' && Number.isInteger(written)) return Number(written) / 1e9
  if (typeof written === 'string' || written === null) return readDuration(written ?? '')
  const type = Array.isArray(written) ? 'array' : typeof written === 'boolean' ? 'bool' : typeof written
  return `json: cannot unmarshal ${type} into Go struct field ${structName}.${path.join('.')} of type string`
}

/**
 * What kube-proxy prints for a file whose first fields, `kind` and `apiVersion`, are not there; undefined if they are. Fields of
 * lab.yaml are no such file.
 */
export function missingKind(raw: Fields, text: string): string | undefined {
  const field = (['kind', 'apiVersion'] as const).find(
    (one) => typeof raw[one] !== 'string' || raw[one] === '',
  )
  if (field === undefined) return undefined
  const shown = text.trim().replaceAll('\n', '\\n')
  return `failed complete: failed to decode: Object '${field === 'kind' ? 'Kind' : field}' is missing in '${shown}'`
}

/** An other kind or version; a lab's fields have neither. */
function kindProblems(value: Fields): ConfigurationProblem[] {
  const group = 'kubeproxy.config.k8s.io/v1alpha1'
  const { apiVersion = group, kind = 'KubeProxyConfiguration' } = value as Record<string, string>
  if (apiVersion === group && kind === 'KubeProxyConfiguration') return []
  const path = [apiVersion === group ? 'kind' : 'apiVersion']
  return [{ path, message: `no kind "${kind}" is registered for version "${apiVersion}"` }]
}

/** A mode whose rules in this version are not known. */
function versionProblems(config: KubeProxyConfiguration): ConfigurationProblem[] {
  const message = whyNotKnown(config)
  return message === undefined ? [] : [{ path: ['version'], message }]
}

/** Mirrors SetFromMap of component-base/featuregate. */
function gateProblems({ featureGates: gates, version }: KubeProxyConfiguration): ConfigurationProblem[] {
  const featureGates = featureGatesOf(version)
  return Object.entries(gates).flatMap(([name, value]) => {
    const path = ['featureGates', name]
    if (featureGates === undefined) {
      const message = `${name}: the feature gates of kube-proxy ${versionText(version)} are not known`
      return [{ path, message, hint: 'rules are those of the default gates: leave out featureGates' }]
    }
    if (name === localhostProxyGate && value) {
      const message = `${name}: the proxy for node ports on localhost is not supported`
      return [{ path, message, hint: 'it is off by default; mode iptables has node ports on 127.0.0.1' }]
    }
    if (!featureGates.has(name)) {
      const hint = didYouMean(name, [...featureGates.keys()])
      return [{ path, message: `unrecognized feature gate: ${name}`, hint }]
    }
    const locked = featureGates.get(name)
    if (locked === undefined || locked === value) return []
    const message = `cannot set feature gate ${name} to ${value}, feature is locked to ${locked}`
    return [{ path, message }]
  })
}

function plain({ path, message, hint }: ConfigurationProblem): ConfigurationProblem {
  return hint === undefined ? { path, message } : { path, message, hint }
}

function prefixed(prefix: string, { path, message, hint }: ConfigurationProblem): ConfigurationProblem {
  return plain({ path, message: `${prefix}: ${message}`, hint })
}
