import { didYouMean } from '../text/nearestName.js'
import { parseAddress } from '../net/address.js'
import type { KubeProxyConfiguration } from './config.js'
import { defaultConfiguration } from './configDefaults.js'
import { configFields, type ConfigField, type ConfigFields } from './configFields.js'
import { parseDuration } from './duration.js'

/** A configuration error: its path (keys and indexes), message and fix. */
export interface ConfigurationProblem {
  readonly path: (string | number)[]
  readonly message: string
  readonly hint?: string
}

/**
 * Reads fields of KubeProxyConfiguration as written in YAML, fills in the defaults and reports what kube-proxy
 * rejects. An invalid field keeps its default, so that the configuration is always usable.
 */
export function parseKubeProxyConfiguration(raw: Readonly<Record<string, unknown>>): {
  config: KubeProxyConfiguration
  problems: readonly ConfigurationProblem[]
} {
  const problems: ConfigurationProblem[] = []
  const written = readStruct(raw, configFields, [], problems)
  const config = merge(defaultConfiguration, written) as unknown as KubeProxyConfiguration
  return { config: withDerivedDefaults(config, written), problems: [...problems, ...acrossFields(config)] }
}

type Path = (string | number)[]

function readStruct(
  raw: Readonly<Record<string, unknown>>,
  fields: ConfigFields,
  path: Path,
  problems: ConfigurationProblem[],
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(raw)) {
    const at = [...path, name]
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) {
      problems.push(unknownField(at, Object.keys(fields)))
      continue
    }
    if (value === null || value === undefined) continue
    const read = readField(value, field, at, problems)
    if (read !== undefined) result[name] = read
  }
  delete result['apiVersion']
  delete result['kind']
  return result
}

function readField(value: unknown, field: ConfigField, at: Path, problems: ConfigurationProblem[]): unknown {
  const wrongType = () => {
    problems.push({
      path: at,
      message: `json: cannot unmarshal ${jsonType(value)} into Go struct field KubeProxyConfiguration.${at.join('.')} of type ${goType(field)}`,
    })
    return undefined
  }
  const checked = <T>(result: T, check: ((value: T) => string | undefined) | undefined): T | undefined => {
    const message = check?.(result)
    if (message === undefined) return result
    problems.push({ path: at, message: `Invalid value: ${JSON.stringify(value)}: ${message}` })
    return undefined
  }
  switch (field.type) {
    case 'bool':
      return typeof value === 'boolean' ? value : wrongType()
    case 'int32':
      if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) >= 2 ** 31)
        return wrongType()
      return checked(value, field.check)
    case 'string':
      return typeof value === 'string' ? checked(value, field.check) : wrongType()
    case 'duration': {
      if (typeof value !== 'string') return wrongType()
      const seconds = parseDuration(value)
      if (seconds === 0 && field.zeroMeansUnset) return undefined
      return checked(seconds ?? NaN, seconds === undefined ? () => 'time: invalid duration' : field.check)
    }
    case '[]string': {
      const strings =
        Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
      return strings ? checked<readonly string[]>(strings, field.check) : wrongType()
    }
    case 'map[string]bool':
      return isRecord(value) && Object.values(value).every((one) => typeof one === 'boolean')
        ? value
        : wrongType()
    case 'object':
      return isRecord(value) ? value : wrongType()
    case 'struct':
      return isRecord(value) ? readStruct(value, field.fields, at, problems) : wrongType()
  }
}

function unknownField(path: Path, known: readonly string[]): ConfigurationProblem {
  const hint = didYouMean(String(path.at(-1)), known)
  const message = `unknown field "${path.join('.')}"`
  return hint === undefined ? { path, message } : { path, message, hint }
}

/** Checks that involve several fields. */
function acrossFields(config: KubeProxyConfiguration): readonly ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = []
  for (const section of ['iptables', 'ipvs', 'nftables'] as const) {
    if (config[section].minSyncPeriod > config[section].syncPeriod) {
      problems.push({
        path: [section, 'syncPeriod'],
        message: `Invalid value: "${config[section].syncPeriod}s": must be greater than or equal to ${section}.minSyncPeriod`,
      })
    }
  }
  if (config.detectLocalMode === 'BridgeInterface' && config.detectLocal.bridgeInterface === '') {
    problems.push({
      path: ['detectLocal', 'bridgeInterface'],
      message: 'Required value: detectLocalMode BridgeInterface needs the name of the bridge',
    })
  }
  if (config.detectLocalMode === 'InterfaceNamePrefix' && config.detectLocal.interfaceNamePrefix === '') {
    problems.push({
      path: ['detectLocal', 'interfaceNamePrefix'],
      message: 'Required value: detectLocalMode InterfaceNamePrefix needs a prefix',
    })
  }
  return problems
}

function withDerivedDefaults(
  config: KubeProxyConfiguration,
  written: Readonly<Record<string, unknown>>,
): KubeProxyConfiguration {
  const overIPv6 = parseAddress(config.bindAddress)?.family === 'IPv6'
  return {
    ...config,
    mode: config.mode || defaultConfiguration.mode,
    detectLocalMode: config.detectLocalMode || defaultConfiguration.detectLocalMode,
    bindAddress: config.bindAddress || defaultConfiguration.bindAddress,
    ...(overIPv6 && written['healthzBindAddress'] === undefined ? { healthzBindAddress: '[::]:10256' } : {}),
    ...(overIPv6 && written['metricsBindAddress'] === undefined ? { metricsBindAddress: '[::1]:10249' } : {}),
  }
}

function merge(defaults: object, written: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = { ...defaults }
  for (const [name, value] of Object.entries(written)) {
    const base = result[name]
    result[name] = isRecord(base) && isRecord(value) ? merge(base, value) : value
  }
  return result
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'number' : `number ${value}`
  return typeof value
}

function goType(field: ConfigField): string {
  return field.type === 'duration'
    ? 'string'
    : field.type === 'struct' || field.type === 'object'
      ? 'object'
      : field.type
}
