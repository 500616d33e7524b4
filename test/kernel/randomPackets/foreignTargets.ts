import type { targets } from '../../../src/netfilter/rules/extensions.js'
import { addressOfWords, addressWords, parseNetwork } from '../../../src/net/address.js'
import type { Draw } from './draw.js'
import type { Place } from './foreignMatches.js'

/** A target as text; undefined where the kernel does not accept it. */
type RandomTarget = (draw: Draw, place: Place) => string | undefined

const when =
  (table: string, hooks: readonly string[], text: RandomTarget): RandomTarget =>
  (draw, place) =>
    place.table === table && hooks.includes(place.hook) ? text(draw, place) : undefined
const hasPorts = ({ protocol }: Place) => protocol !== undefined && protocol !== 'icmp'
const written = (place: Place, address: string) => (place.family === 'IPv6' ? `[${address}]` : address)
const xmark = (draw: Draw) =>
  draw.oneOf('0x1/0x1', '0x4000/0x4000', '0x0/0xffffffff', '0x4000/0x0', '0x20/0xff')
/** A range from an address of the cluster to the one three places after it. */
function addressRange(draw: Draw, { addresses }: Place): string {
  const words = addressWords(draw.oneOf(...addresses))
  const last = words.map((word, index) => (index === words.length - 1 ? word + 3 : word))
  return `${addressOfWords(words)}-${addressOfWords(last)}`
}

function networkOf(address: string, length: number): string {
  return parseNetwork(`${address}/${length}`)?.text ?? address
}

const inNat = ['PREROUTING', 'OUTPUT']

/** A random use of every target that the parser knows. */
export const randomTarget: Readonly<Record<keyof typeof targets, RandomTarget>> = {
  DNAT: when('nat', inNat, (draw, place) => {
    const address = draw.oneOf(...place.addresses)
    const port = draw.oneOf(...place.ports)
    const to = draw.oneOf('address', 'port', 'both', 'range')
    if (to === 'address' || !hasPorts(place)) return `DNAT --to-destination ${address}`
    if (to === 'port') return `DNAT --to-destination :${port}`
    if (to === 'range' && draw.boolean())
      return `DNAT --to-destination ${addressRange(draw, place)}${draw.oneOf('', ' --persistent')}`
    const spread = to === 'range' ? `-${port + 3}${draw.oneOf('', `/${port - 2}`)}` : ''
    return `DNAT --to-destination ${written(place, address)}:${port}${spread}${draw.oneOf('', ' --persistent', ' --random')}`
  }),
  SNAT: when('nat', ['INPUT', 'POSTROUTING'], (draw, place) => {
    const address = draw.oneOf(...place.addresses)
    const ports = hasPorts(place) ? draw.oneOf('', ':20000-30000') : ''
    if (draw.integer({ min: 0, max: 2 }) === 0)
      return `SNAT --to-source ${addressRange(draw, place)}${draw.oneOf('', ' --persistent', ' --random')}`
    const host = ports === '' ? address : written(place, address)
    return `SNAT --to-source ${host}${ports}${draw.oneOf('', ' --random-fully', ' --persistent')}`
  }),
  MASQUERADE: when('nat', ['POSTROUTING'], (draw, place) => {
    const ports = hasPorts(place) ? draw.oneOf('', ' --to-ports 20000-30000') : ''
    return `MASQUERADE${ports}${draw.oneOf('', ' --random-fully', ' --random')}`
  }),
  REDIRECT: when('nat', inNat, (draw, place) => {
    const port = draw.oneOf(...place.ports)
    const ports = draw.oneOf(`${port}`, `${port}-${port + 2}`)
    return hasPorts(place) ? `REDIRECT --to-ports ${ports}${draw.oneOf('', ' --random')}` : 'REDIRECT'
  }),
  NETMAP: when('nat', [...inNat, 'INPUT', 'POSTROUTING'], (draw, { addresses, family }) => {
    const length = draw.oneOf(...(family === 'IPv4' ? [24, 30, 32] : [64, 126, 128]))
    return `NETMAP --to ${networkOf(draw.oneOf(...addresses), length)}`
  }),
  MARK: (draw) => `MARK --set-xmark ${xmark(draw)}`,
  CONNMARK: (draw) =>
    draw.oneOf(
      `CONNMARK --set-xmark ${xmark(draw)}`,
      'CONNMARK --save-mark --nfmask 0xff --ctmask 0xffff',
      'CONNMARK --restore-mark --nfmask 0xffffffff --ctmask 0xffffffff',
    ),
  CT: (draw, { table }) =>
    table === 'raw'
      ? `CT ${draw.oneOf('--notrack', '--zone 1', '--zone-orig 2', '--zone-reply 3', '--zone mark', '--ctevents new')}`
      : undefined,
  ACCEPT: () => 'ACCEPT',
  DROP: (_, { table }) => (table === 'nat' ? undefined : 'DROP'),
  RETURN: () => 'RETURN',
  // replaced by NFQUEUE in current kernels
  QUEUE: () => undefined,
  NOTRACK: (_, { table }) => (table === 'raw' ? 'CT --notrack' : undefined),
  TRACE: (_, { table }) => (table === 'raw' ? 'TRACE' : undefined),
  REJECT: (draw, { table, family, protocol }) => {
    if (table !== 'filter') return undefined
    if (protocol === 'tcp' && draw.boolean()) return 'REJECT --reject-with tcp-reset'
    const kinds =
      family === 'IPv4'
        ? ['icmp-port-unreachable', 'icmp-host-unreachable', 'icmp-admin-prohibited']
        : ['icmp6-port-unreachable', 'icmp6-adm-prohibited', 'icmp6-addr-unreachable']
    return `REJECT --reject-with ${draw.oneOf(...kinds)}`
  },
  LOG: () => 'LOG --log-prefix "seen: " --log-uid',
  NFLOG: () => 'NFLOG --nflog-prefix seen --nflog-group 5',
  AUDIT: () => 'AUDIT --type accept',
  TCPMSS: (_, { table, protocol, hook }) =>
    table === 'mangle' && protocol === 'tcp' && ['FORWARD', 'POSTROUTING'].includes(hook)
      ? 'TCPMSS --clamp-mss-to-pmtu'
      : undefined,
}

/** A target that the parser does not know. */
export const unknownTarget: RandomTarget = (draw, { table }) =>
  draw.oneOf(...(table === 'mangle' ? ['DSCP --set-dscp 0x01'] : []), 'NFQUEUE --queue-num 7')
