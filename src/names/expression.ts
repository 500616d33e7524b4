import ipaddr from 'ipaddr.js'
import { isBraceProblem, splitBraces } from './braces.js'
import type { Lookup, Named } from './named.js'
import type { Names } from './names.js'

/** The context of a text, which decides how an IPv6 address is written. */
export type TextUse = 'plain' | 'url'

export type Substituted =
  { readonly text: string } | { readonly problem: string; readonly hint?: string | undefined }

/**
 * The text with each `{name}` replaced by its value. In a URL, and before a `:port`, an IPv6 address gets brackets.
 */
export function substitute(text: string, names: Names, use: TextUse): Substituted {
  const pieces = splitBraces(text)
  if (isBraceProblem(pieces)) return pieces
  let done = ''
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'text') {
      done += piece.text
      continue
    }
    const value = valueOf(piece.name, names)
    if ('problem' in value) return value
    const next = pieces[index + 1]
    const beforePort = next?.kind === 'text' && /^:\d/.test(next.text)
    const beforeName = next?.kind === 'text' && next.text === ':' && index + 2 < pieces.length
    const brackets = ipaddr.IPv6.isValid(value.text) && (use === 'url' || beforePort || beforeName)
    done += brackets ? `[${value.text}]` : value.text
  }
  return { text: done }
}

/** `web.nodePort.http`: a name, a property, and for ports the port's name, for external addresses the family. */
const suffixed =
  /^(?<name>.+?)\.(?<what>ipv4|ipv6|name|node|port|nodePort|external|announcer)(?:\.(?<port>[A-Za-z0-9-]+))?$/

function valueOf(expression: string, names: Names): Substituted {
  // A pod's name may have dots in it: the whole expression as a name comes first.
  const whole = names.lookup(expression)
  if ('found' in whole) return addressOf(whole.found[0], expression)
  const groups = suffixed.exec(expression)?.groups
  if (groups === undefined) return whole
  const { name = '', what = '', port } = groups
  if (what === 'port' || what === 'nodePort') return portOf(names.lookup(name, ['service']), what, port)
  if (what === 'external' || what === 'announcer')
    return externalOf(names.lookup(name, ['service']), what, port)
  const lookup = names.lookup(name)
  if ('problem' in lookup) return lookup
  const [one] = lookup.found
  if (what === 'name') return { text: one.name }
  if (what === 'node')
    return one.pod ? { text: one.pod.node } : { problem: `"${name}" is not a pod, so it has no node` }
  return addressOf(one, name, what === 'ipv4' ? 'IPv4' : 'IPv6')
}

function addressOf(one: Named, name: string, family?: 'IPv4' | 'IPv6'): Substituted {
  const fits = (address: string) =>
    family === undefined || ipaddr.IPv6.isValid(address) === (family === 'IPv6')
  const address = one.addresses.find(fits)
  return address === undefined ? { problem: `"${name}" has no ${family ?? 'IP'} address` } : { text: address }
}

/** An external address of a Service, or the node that answers ARP or NDP for it. */
function externalOf(lookup: Lookup, what: 'external' | 'announcer', family: string | undefined): Substituted {
  if ('problem' in lookup) return lookup
  const [{ label, service }] = lookup.found
  if (family !== undefined && family !== 'ipv4' && family !== 'ipv6')
    return { problem: `"${family}" is not an address family`, hint: 'write ipv4 or ipv6' }
  const fits = (address: string) =>
    family === undefined || ipaddr.IPv6.isValid(address) === (family === 'ipv6')
  const address = service?.externalIPs.find(fits)
  if (address === undefined) {
    const ofFamily = family === undefined ? '' : ` of ${family.replace('ip', 'IP')}`
    return { problem: `Service ${label} has no external address${ofFamily}` }
  }
  if (what === 'external') return { text: address }
  const node = service?.announcedBy?.find((one) => one.address === address)?.node
  return node === undefined
    ? { problem: `no node answers for ${address} of Service ${label}` }
    : { text: node }
}

function portOf(lookup: Lookup, what: 'port' | 'nodePort', portName: string | undefined): Substituted {
  if ('problem' in lookup) return lookup
  const ports = lookup.found[0].service?.ports ?? []
  const label = lookup.found[0].label
  const port = portName === undefined ? ports[0] : ports.find(({ name }) => name === portName)
  if (port === undefined) {
    const known = ports.flatMap(({ name }) => name ?? [])
    const hint = known.length === 0 ? undefined : `its ports are ${known.join(', ')}`
    return {
      problem:
        portName === undefined
          ? `Service ${label} has no port`
          : `Service ${label} has no port "${portName}"`,
      hint,
    }
  }
  const value = port[what]
  return value === undefined ? { problem: `Service ${label} has no node port` } : { text: String(value) }
}
