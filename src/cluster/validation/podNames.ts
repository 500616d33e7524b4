import { isRecord, text } from '../manifests/loose.js'
import type { PodSpec } from '../types.js'
import { validateAddress } from './addresses.js'
import { invalid, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsSubdomain, searchDomain } from './formats.js'
import { all, each, fields, textOf, type Rule } from './rules.js'

const address: Rule = (path, value) => validateAddress(path, text(value))

/** Lines of the hosts file of a pod (ValidateHostAliases). */
export const hostAliases: Rule = each(fields({ ip: address, hostnames: each(textOf(dnsSubdomain)) }))

/** Maximum lengths of the lists of resolv.conf (MaxDNSNameservers, MaxDNSSearchPaths, MaxDNSSearchListChars). */
const most = { nameservers: 3, searches: 32, characters: 2048 }

const rules = fields({
  nameservers: all(atMost(most.nameservers, 'nameservers'), each(address)),
  searches: all(
    atMost(most.searches, 'search paths'),
    (path, list) =>
      Array.isArray(list) && list.join(' ').length > most.characters
        ? [
            invalid(
              path,
              list,
              `must not have more than ${most.characters} characters (including spaces) in the search list`,
            ),
          ]
        : [],
    each((path, name) => textOf(searchDomain)(path, text(name).replace(/\.$/, ''))),
  ),
  options: each((path, option) =>
    isRecord(option) && text(option['name']) === '' ? [required(path, 'must not be empty')] : [],
  ),
})

function atMost(count: number, what: string): Rule {
  return (path, list) =>
    Array.isArray(list) && list.length > count
      ? [invalid(path, list, `must not have more than ${count} ${what}`)]
      : []
}

/** The DNS settings of a pod; without the DNS of the cluster it needs its own (validatePodDNSConfig). */
export function dnsConfig(path: Path, { dnsConfig: config, dnsPolicy }: PodSpec): FieldError[] {
  if (dnsPolicy === 'None') {
    if (!isRecord(config)) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')]
    const { nameservers } = config
    if (!Array.isArray(nameservers) || nameservers.length === 0)
      return [
        required(
          [...path, 'nameservers'],
          'must provide at least one DNS nameserver when `dnsPolicy` is None',
        ),
      ]
  }
  return rules(path, config)
}
