import { endpointChainName, serviceChainNames } from '../../agents/kubeProxy/iptables/chainNames.js'
import { nftNameBase } from '../../agents/kubeProxy/nftables/chainNames.js'
import type { AnonymousAddresses } from './anonymousAddresses.js'

/** New names for those in texts of nodes. */
export interface AnonymousNames {
  /** The new name of a namespace, a Service, a port or a node; the same for the same name. */
  readonly of: (role: string, name: string) => string
  /** Nodes and hosts, which are replaced wherever a text has them as a word. */
  readonly hosts: readonly string[]
}

/** Words of the comments of kube-proxy and of network plugins, which name no object. */
const usualWords = new Set(
  (
    'kubernetes service services portals portal nodeports nodeport node ports port note this must be the last rule in chain postrouting rules ' +
    'traffic requiring snat forwarding conntrack load balancer loadbalancer firewall health check externally-visible cluster ip ips external ' +
    'has no local endpoints endpoint pod for destinations masquerade route xlb access filter kube-proxy block incoming localnet connections ' +
    'drop packets to unallocated clusterips clusterip from outside hairpin redirect pods trying reach vip dst src + - with purpose solving ' +
    'externaltrafficpolicy=local lb sourcerange source cidr packet and -> other than if it is not handled allowed hostport dnat name flannel ' +
    'masq forward cilium: cilium any kubernetes: default allow established related docker cni'
  ).split(' '),
)

/** Replaces names and addresses in a text of a node, line by line; equal names and addresses stay equal. */
export function anonymousText(
  text: string,
  names: AnonymousNames,
  addresses: AnonymousAddresses,
  chains: ReadonlyMap<string, string>,
): string {
  const hosts = names.hosts
    .toSorted((a, b) => b.length - a.length)
    .map(
      (name) =>
        [new RegExp(`(?<![\\w.-])${escaped(name)}(?![\\w-]|\\.\\w)`, 'g'), names.of('node', name)] as const,
    )
  return text
    .split('\n')
    .flatMap((line) => (/^\s+alias /.test(line) ? [] : [line]))
    .map((line) => {
      const named = line
        .replace(/ ?users:\(\(.*\)\)/, '')
        .replace(
          /(--comment |(?<!-m )comment )("(?:[^"\\]|\\.)*"|\S+)/g,
          (_, start: string, own: string) => `${start}${comment(own, names, addresses)}`,
        )
        // of iptables -L
        .replace(/\/\* (.*?) \*\//g, (_, own: string) => `/* ${comment(own, names, addresses)} */`)
        .replace(nftChains, (_, kind: string, path: string) => `${kind}-${nftPath(path, names, addresses)}`)
        .replace(
          /KUBE-(?:SVC|SVL|EXT|FW|SEP|XLB)-[A-Z2-7]{16}/g,
          (chain) => chains.get(chain) ?? otherChain(chain),
        )
      const hosted = hosts.reduce((before, [host, other]) => before.replace(host, other), named)
      return addresses.in(hosted)
    })
    .join('\n')
}

const nftChains = /\b(service|external|local|firewall|affinity|endpoint)-[A-Z2-7]{8}-([^\s{},;"]+)/g

/** `ns/svc/tcp/port`, of an endpoint with `__10.1.2.3/8080` behind it; the hash is that of the new path. */
function nftPath(path: string, names: AnonymousNames, addresses: AnonymousAddresses): string {
  const [service = '', endpoint] = path.split('__')
  const [namespace = '', name = '', protocol = '', port = ''] = service.split('/')
  const own = `${names.of('namespace', namespace)}/${names.of('service', name)}/${protocol}/${port === '' ? '' : names.of('name', port)}`
  if (endpoint === undefined) return nftNameBase(own)
  const [, address = '', rest = ''] = /^(.*)(\/\d+)$/.exec(endpoint) ?? []
  // colons of IPv6 are dots in names of chains
  const plain =
    address.includes('.') && /[a-f]|\.\.|^(?:[^.]*\.){4,}/.test(address)
      ? address.replaceAll('.', ':')
      : address
  const other = addresses.of(plain)
  return nftNameBase(`${own}__${plain === address ? other : other.replaceAll(':', '.')}${rest}`)
}

function comment(quoted: string, names: AnonymousNames, addresses: AnonymousAddresses): string {
  const text = quoted.replace(/^"|"$/g, '')
  const replaced = text.replace(
    /(^|[\s(])([a-z0-9][a-z0-9-]*)\/([a-z0-9][a-z0-9.-]*)(?::([a-z0-9-]+))?(?=$|[\s)])/g,
    (_, before: string, namespace: string, name: string, port?: string) =>
      `${before}${servicePort(names, namespace, name, port)}`,
  )
  const left = text
    .replace(/(^|[\s(])[a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9.-]*(?::[a-z0-9-]+)?(?=$|[\s)])/g, ' ')
    .split(/[\s();,]+/)
  const isUsual = left.every(
    (word) =>
      word === '' ||
      usualWords.has(word.toLowerCase()) ||
      /^(?:[\d.:/[\]]+|cali:\S+|[\da-f.:[\]/]+)$/i.test(word) ||
      /^'?hash$|^@|^ip:port'?$|^NOTE:$|^\/$/.test(word),
  )
  const own = isUsual ? addresses.in(replaced) : names.of('comment', text)
  return quoted.startsWith('"') ? `"${own}"` : own
}

/** `ns/svc:port` with new names. */
export function servicePort(names: AnonymousNames, namespace: string, name: string, port?: string): string {
  const end = port === undefined ? '' : `:${names.of('name', port)}`
  return `${names.of('namespace', namespace)}/${names.of('service', name)}${end}`
}

/** A chain whose Service no rule names. */
function otherChain(chain: string): string {
  const [prefix = ''] = /^KUBE-[A-Z]+-/.exec(chain) ?? []
  return prefix + endpointChainName(chain, '', '').slice('KUBE-SEP-'.length)
}

/** The new names of the chains of Services and endpoints: hashed from the new names, as kube-proxy does. */
export function anonymousChains(
  texts: readonly string[],
  names: AnonymousNames,
  addresses: AnonymousAddresses,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, namespace, name = '', port] =
      /(?:--comment "?|\/\* )([a-z0-9][a-z0-9-]*)\/([a-z0-9][a-z0-9.-]*?)(?::([a-z0-9-]+))?(?=["\s])/.exec(
        line,
      ) ?? []
    if (namespace === undefined) continue
    const old = `${namespace}/${name}${port === undefined ? '' : `:${port}`}`
    const own = servicePort(names, namespace, name, port)
    for (const protocol of ['tcp', 'udp', 'sctp']) {
      const [before, after] = [serviceChainNames(old, protocol), serviceChainNames(own, protocol)]
      for (const key of ['cluster', 'local', 'external', 'firewall'] as const)
        found.set(before[key], after[key])
      found.set(before.external.replace('EXT', 'XLB'), after.external.replace('EXT', 'XLB'))
      const endpoint = /(?:--to-destination |\bto:)(\S+)/.exec(line)?.[1]
      if (endpoint === undefined) continue
      const chain = endpointChainName(old, protocol, endpoint)
      found.set(chain, endpointChainName(own, protocol, addresses.in(endpoint)))
    }
  }
  return found
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
