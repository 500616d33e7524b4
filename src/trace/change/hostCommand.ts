import { didYouMean } from '../../text/nearestName.js'
import { InputError } from '../../errors.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { setSysctl } from './editRules.js'
import { iptablesCommand } from './iptablesCommand.js'
import { conntrackCommand } from './conntrackCommand.js'
import { ipCommand } from './ipCommand.js'

/** A command on a host, before the packet is sent. */
export interface HostCommand {
  /** The network namespace. */
  readonly place: string
  readonly argv: readonly string[]
}

/** Sysctls that decide about packets of a prediction. */
const known =
  /^net\.(ipv4\.ip_forward|ipv6\.conf\.all\.forwarding|ipv4\.conf\.[^.]+\.(route_localnet|rp_filter)|bridge\.bridge-nf-call-ip6?tables)$/

/**
 * The state after iptables, ip6tables, sysctl or `ip route` has run on a host; undefined for commands whose effect is not
 * predicted. Throws InputError for a rule that does not exist.
 */
export function afterCommand(state: TraceState, { place, argv }: HostCommand): TraceState | undefined {
  const [program = '', ...words] = argv
  const [, tool, six] = /^(?:.*\/)?(ip(6?)tables|sysctl|ip|conntrack)(?:-nft|-legacy)?$/.exec(program) ?? []
  switch (tool) {
    case undefined:
      return undefined
    case 'sysctl':
      return sysctlCommand(state, place, words)
    case 'ip':
      return ipCommand(state, place, words)
    case 'conntrack':
      return conntrackCommand(state, place, words)
    default:
      return iptablesCommand(state, place, six === '6' ? 'IPv6' : 'IPv4', words)
  }
}

/** Reads `node-a iptables -P FORWARD DROP`; undefined for text without a command. */
export function parseHostCommand(text: string): HostCommand | undefined {
  const [place = '', ...argv] = text.trim().split(/\s+/)
  return argv.length === 0 ? undefined : { place, argv }
}

/** The state after a command that a user gave. Throws InputError for unknown hosts and commands that are not predicted. */
export function afterGivenCommand(state: TraceState, command: HostCommand): TraceState {
  const hosts = [...state.sysctls.keys()]
  const problem = (message: string, hint: string | undefined) => new InputError([{ message, hint }])
  if (!state.sysctls.has(command.place))
    throw problem(
      `there is no host "${command.place}"`,
      didYouMean(command.place, hosts) ?? `hosts: ${hosts.join(', ')}`,
    )
  const after = afterCommand(state, command)
  if (after !== undefined) return after
  throw problem(
    `the effect of "${command.argv.join(' ')}" is not predicted`,
    'predicted are iptables and ip6tables, sysctl -w of forwarding and filters, ip route, ip rule, ip link set mtu, and conntrack -I',
  )
}

function sysctlCommand(state: TraceState, place: string, words: readonly string[]): TraceState | undefined {
  const settings = words.filter((word) => !word.startsWith('-')).map((word) => word.split('='))
  if (
    settings.length === 0 ||
    settings.some(([name = '', value]) => value === undefined || !known.test(name))
  )
    return undefined
  return setSysctl(
    state,
    place,
    Object.fromEntries(settings.map(([name, value]) => [name ?? '', value ?? ''])),
  )
}
