import { createHash } from 'node:crypto'

/** Interface names are at most 15 bytes long (IFNAMSIZ less the closing zero). */
const longestInterfaceName = 15

/** `prefix` and `name` where that fits an interface name, else `prefix` and a hash of the name. */
export function interfaceName(prefix: string, name: string): string {
  const plain = prefix + name
  return plain.length <= longestInterfaceName
    ? plain
    : prefix + shortHash(name, longestInterfaceName - prefix.length)
}

/** Name of the node's end of a pod's veth pair, as CNI plugins form it: `veth` and eight hex digits. */
export function podVethName(namespace: string, pod: string): string {
  return `veth${shortHash(`${namespace}/${pod}`, 8)}`
}

/** The MAC address that CNI plugins derive from an IPv4 address: 0a:58 and its four bytes; hashed for IPv6. */
export function macAddress(address: string): string {
  const bytes = address.includes(':')
    ? [...createHash('sha256').update(address).digest().subarray(0, 4)]
    : address.split('.').map(Number)
  return ['0a', '58', ...bytes.map((byte) => byte.toString(16).padStart(2, '0'))].join(':')
}

/**
 * Netns names for pods: the pod's own name, with its Kubernetes namespace in front where the name alone is taken.
 * `_` is not allowed in a Kubernetes name, so that a qualified name never clashes.
 */
export function podNetnsNames(
  pods: readonly { readonly namespace: string; readonly name: string }[],
  taken: Iterable<string>,
): string[] {
  const uses = new Map<string, number>()
  for (const name of taken) uses.set(name, 1)
  for (const { name } of pods) uses.set(name, (uses.get(name) ?? 0) + 1)
  return pods.map(({ namespace, name }) => (uses.get(name) === 1 ? name : `${namespace}_${name}`))
}

function shortHash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}
