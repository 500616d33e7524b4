import type { IpFamily } from '../net/ipFamily.js'
import type { NodePlace, Stage } from './types.js'
import { interfaceIndex } from './layOut.js'

const folder = '/run/vethlab/ipvs'

/**
 * The addresses come first: the kernel rejects a real server in a namespace without addresses, because it looks up in the
 * local routing table whether the server's address is unicast. ipvsadm reads only its standard input, and exits
 * with 0 even after errors. A constant text.
 */
const bindAndServe =
  'ip -batch "$1" || exit; said=$(ipvsadm --restore <"$2" 2>&1); [ -z "$said" ] || { echo "$said" >&2; exit 1; }'

/** What kube-proxy in IPVS mode creates on one node in one family, as input lines of the tools. */
export interface IpvsText {
  /** Addresses of kube-ipvs0, with their prefix lengths. */
  readonly addresses: readonly string[]
  readonly sets: readonly string[]
  readonly servers: readonly string[]
}

/** The text of one node and family. */
export type IpvsTextOf = (node: string, family: IpFamily) => IpvsText

/** Devices, ipsets and virtual servers of the nodes: a process of each tool per node, both families in one. */
export function planIpvs(
  nodes: readonly NodePlace[],
  families: readonly IpFamily[],
  device: string,
  textOf: IpvsTextOf,
): Stage {
  const file = (what: string, netns: string) => `${folder}/${what}/${netns}`
  const texts = nodes.map(({ name, netns }) => ({
    netns,
    own: families.map((family) => textOf(name, family)),
  }))
  const files = (what: string, lines: (own: readonly IpvsText[]) => readonly string[]) =>
    texts.map(({ netns, own }) => ({
      path: file(what, netns),
      text: lines(own)
        .map((line) => `${line}\n`)
        .join(''),
    }))
  const inEach = (...argv: string[]) => ({
    argv: ['nsenter', '--net=/run/netns/{}', ...argv],
    each: nodes.map(({ netns }) => netns),
  })
  return {
    name: 'kube-ipvs0, ipsets and virtual servers of the nodes',
    files: [
      ...files('addresses', (own) => [
        `link add name ${device} index ${interfaceIndex.ipvs} type dummy`,
        ...own.flatMap(({ addresses }) => addresses.map((address) => `address add ${address} dev ${device}`)),
      ]),
      ...files('sets', (own) => own.flatMap(({ sets }) => sets)),
      ...files('servers', (own) => own.flatMap(({ servers }) => servers)),
    ],
    commands: [
      inEach('sh', '-c', bindAndServe, 'sh', file('addresses', '{}'), file('servers', '{}')),
      inEach('ipset', 'restore', '-file', file('sets', '{}')),
    ],
  }
}
