import { InvalidArgumentError, Option, type Command } from 'commander'
import { InputError } from '../../errors.js'
import type { PresentLab } from '../../lab/trace/predictOptions.js'
import type { PrepareOptions } from '../../lab/plan/prepareOptions.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { predictedLab, stateOf, type PredictedLab } from '../../lab/trace/predictedLab.js'
import { tracedRequest } from '../../lab/trace/tracedRequest.js'
import type { WrittenRequest } from '../../lab/trace/writtenRequest.js'
import type { PreparedLab } from '../../lab/plan/prepareLab.js'
import type { ModeName } from '../../proxy/config.js'
import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { parseHostCommand, type HostCommand } from '../../trace/change/hostCommand.js'
import { firstPacket } from '../../trace/request.js'
import { parseReference, type RuleReference } from '../../trace/rules/without.js'
import { familiesOption, ignoreOption, labModeOption } from '../options.js'

/** Options of the verbs that predict a request. */
export interface RequestFlags {
  readonly udp?: true
  readonly icmp?: true
  readonly source?: string
  readonly fromPort?: number
  readonly host?: string
  readonly without: readonly RuleReference[]
  readonly after: readonly HostCommand[]
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
    .option(
      '--host <name>',
      'the host name of the HTTP request, for ingress (default: the address)',
      readHost,
    )
    .option('--from-port <port>', 'the source port (default: any free port)', readPort)
    .addOption(
      new Option(
        '--without <rule>',
        'leave out a rule: node, chain and number, with the table if needed (repeatable)',
      )
        .argParser((text: string, rules: readonly RuleReference[]) => [...rules, readRule(text)])
        .default([], 'none'),
    )
    .addOption(
      new Option('--after <command>', 'run a command on a host first: host and command (repeatable)')
        .argParser((text: string, all: readonly HostCommand[]) => [...all, readCommand(text)])
        .default([], 'none'),
    )
    .addOption(labModeOption())
    .addOption(familiesOption())
    .addOption(ignoreOption())
}

/** Where a request starts, in the state that its lab starts with. */
export interface Predictable {
  readonly lab: PredictedLab
  readonly prepared: PreparedLab
  readonly written: WrittenRequest
  readonly state: TraceState
  /** The namespace that sends the packet. */
  readonly from: string
  readonly packet: TracedPacket
}

/** What a request meets: `as-planned`; without faults and forecasts, which a lab gets by itself; or a lab that is running. */
export type Met =
  | 'as-planned'
  | 'as-written'
  | { readonly directory: string; readonly present: PresentLab; readonly options: PrepareOptions }

/** Reads the lab and the request. Throws InputError. */
export function predictable(
  name: string,
  from: string,
  to: string,
  flags: RequestFlags,
  met: Met = 'as-planned',
): Predictable {
  const { families, mode, ignore, without, after } = flags
  const lab =
    typeof met === 'string'
      ? predictedLab(name, {
          ...{ families, mode, without, after, ignoreKinds: new Set(ignore) },
          asWritten: met === 'as-written',
        })
      : predictedLab(met.directory, { ...met.options, without, after, present: met.present })
  if (typeof met !== 'string') rejectOther(lab, flags)
  const protocol = flags.icmp === true ? 'icmp' : flags.udp === true ? 'udp' : 'tcp'
  const { source: sourceAddress, fromPort: sourcePort, host } = flags
  const written = { from, to, protocol, sourceAddress, sourcePort, host } as const
  const state = stateOf(lab)
  const request = tracedRequest(lab.prepared, written)
  return {
    lab,
    prepared: lab.prepared,
    written,
    state,
    from: request.from,
    packet: firstPacket(state, request),
  }
}

/** Throws InputError for options that a running lab does not have: it cannot change them. */
function rejectOther({ prepared }: PredictedLab, { families, mode }: RequestFlags): void {
  const { lab, kubeProxy, topology } = prepared
  const ownMode = kubeProxy.kind === 'built-in' ? kubeProxy.mode.name : undefined
  const isOther =
    (mode !== undefined && mode !== ownMode) ||
    (families !== undefined && families.join(' ') !== topology.families.join(' '))
  if (!isOther) return
  const has = [ownMode === undefined ? [] : `mode ${ownMode}`, topology.families.join(' and ')].flat()
  throw new InputError([
    {
      message: `the lab "${lab.name}" is running with ${has.join(', ')}`,
      hint: `\`vethlab down ${lab.name}\` removes it; then other options apply`,
    },
  ])
}

function readRule(text: string): RuleReference {
  const reference = parseReference(text)
  if (reference !== undefined) return reference
  throw new InvalidArgumentError(
    "It must be a node, a chain and a number, such as 'node-a KUBE-POSTROUTING 3'.",
  )
}

function readCommand(text: string): HostCommand {
  const command = parseHostCommand(text)
  if (command !== undefined) return command
  throw new InvalidArgumentError(
    "It must be a host and a command, such as 'node-a iptables -P FORWARD DROP'.",
  )
}

function readHost(text: string): string {
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) return text
  throw new InvalidArgumentError('It must be a host name, such as example.com.')
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65535) return port
  throw new InvalidArgumentError('It must be a number from 1 to 65535.')
}
