import { InvalidArgumentError, Option, type Command } from 'commander'
import type { IpFamily } from '../net/ipFamily.js'
import { tracedLab } from '../inspect/tracedLab.js'
import { tracedRequest } from '../inspect/tracedRequest.js'
import { prepareLab, type PreparedLab } from '../lab/plan/prepareLab.js'
import type { ModeName } from '../proxy/config.js'
import type { TracedPacket } from '../trace/model/packet.js'
import type { TraceState } from '../trace/model/state.js'
import { firstPacket } from '../trace/request.js'
import { parseReference, withoutRule, type RuleReference } from '../trace/rules/without.js'
import { familiesOption, ignoreOption, labModeOption } from './options.js'

/** Options of the verbs that predict a request. */
export interface RequestFlags {
  readonly udp?: true
  readonly icmp?: true
  readonly source?: string
  readonly fromPort?: number
  readonly without: readonly RuleReference[]
  readonly mode?: ModeName
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
}

/** Adds the arguments and options of a request. */
export function withRequest(command: Command): Command {
  return command
    .argument('<lab>', 'name of a lab, or a path')
    .argument('<from>', 'the node, pod or client that sends the request')
    .argument('<url>', 'a URL, or host:port; names in braces are replaced by addresses')
    .addOption(new Option('--udp', 'a datagram to host:port').conflicts('icmp'))
    .option('--icmp', 'an echo request (ping) to a host')
    .option('--source <address>', 'the source address (default: the one that the kernel chooses)')
    .option('--from-port <port>', 'the source port (default: any free port)', readPort)
    .addOption(
      new Option(
        '--without <rule>',
        'leave out a rule: node, chain and number, with the table if needed (repeatable)',
      )
        .argParser((text: string, rules: readonly RuleReference[]) => [...rules, readRule(text)])
        .default([], 'none'),
    )
    .addOption(labModeOption())
    .addOption(familiesOption())
    .addOption(ignoreOption())
}

/** Where a request starts, in the state that its lab starts with. */
export interface Predictable {
  readonly prepared: PreparedLab
  readonly state: TraceState
  /** The namespace that sends the packet. */
  readonly from: string
  readonly packet: TracedPacket
}

/** Reads the lab and the request. Throws InputError. */
export function predictable(lab: string, from: string, to: string, flags: RequestFlags): Predictable {
  const { families, mode, ignore } = flags
  const prepared = prepareLab(lab, { families, mode, ignoreKinds: new Set(ignore) })
  const protocol = flags.icmp === true ? 'icmp' : flags.udp === true ? 'udp' : 'tcp'
  const { source: sourceAddress, fromPort: sourcePort } = flags
  const request = tracedRequest(prepared, { from, to, protocol, sourceAddress, sourcePort })
  const state = flags.without.reduce(withoutRule, tracedLab(prepared))
  return { prepared, state, from: request.from, packet: firstPacket(state, request) }
}

function readRule(text: string): RuleReference {
  const reference = parseReference(text)
  if (reference !== undefined) return reference
  throw new InvalidArgumentError(
    "It must be a node, a chain and a number, such as 'node-a KUBE-POSTROUTING 3'.",
  )
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65535) return port
  throw new InvalidArgumentError('It must be a number from 1 to 65535.')
}
