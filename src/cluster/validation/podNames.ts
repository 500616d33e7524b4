import { isRecord, records, text } from '../manifests/loose.js'
import type { PodSpec } from '../types.js'
import { validateAddress } from './addresses.js'
import { append, invalid, oneOf, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsSubdomain } from './formats.js'

const policies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

/** Maximum number of name servers and search domains of a pod (MaxDNSNameservers, MaxDNSSearchPaths). */
const most = { nameservers: 3, searches: 32 }

/** Validates the DNS settings of a pod: dnsPolicy, dnsConfig and hostAliases. */
export function validatePodNames(path: Path, spec: PodSpec): FieldError[] {
  const { dnsPolicy, dnsConfig } = spec
  const errors: FieldError[] = []
  if (typeof dnsPolicy === 'string') append(errors, oneOf([...path, 'dnsPolicy'], dnsPolicy, policies))
  append(errors, validateConfig([...path, 'dnsConfig'], dnsConfig, dnsPolicy === 'None'))
  for (const [index, alias] of records(spec['hostAliases']).entries()) {
    const at = [...path, 'hostAliases', index]
    append(errors, validateAddress([...at, 'ip'], text(alias['ip'])))
    append(errors, each([...at, 'hostnames'], alias['hostnames'], names))
  }
  return errors
}

function validateConfig(path: Path, config: unknown, alone: boolean): FieldError[] {
  const { nameservers = [], searches = [], options } = isRecord(config) ? config : {}
  const errors = [
    ...each([...path, 'nameservers'], nameservers, validateAddress),
    ...each([...path, 'searches'], searches, (at, name) => names(at, name.replace(/\.$/, ''))),
    ...atMost([...path, 'nameservers'], nameservers, most.nameservers, 'nameservers'),
    ...atMost([...path, 'searches'], searches, most.searches, 'search paths'),
  ]
  for (const [index, { name }] of records(options).entries())
    if (text(name) === '') errors.push(required([...path, 'options', index], 'must not be empty'))
  if (alone && Array.isArray(nameservers) && nameservers.length === 0)
    errors.push(
      required([...path, 'nameservers'], 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
    )
  return errors
}

function names(path: Path, name: string): FieldError[] {
  return dnsSubdomain(name).map((detail) => invalid(path, name, detail))
}

function atMost(path: Path, list: unknown, count: number, what: string): FieldError[] {
  if (!Array.isArray(list) || list.length <= count) return []
  return [invalid(path, list, `must not have more than ${count} ${what}`)]
}

function each(path: Path, list: unknown, check: (at: Path, value: string) => FieldError[]): FieldError[] {
  return Array.isArray(list) ? list.flatMap((value, index) => check([...path, index], text(value))) : []
}
