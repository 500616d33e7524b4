import { InvalidArgumentError, Option, type Command } from 'commander'
import { InputError } from '../../errors.js'
import type { PrepareOptions } from '../../lab/plan/prepareOptions.js'
import { isHostName } from '../../net/hostName.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { readAnySnapshot, type LabOptions } from '../../inspect/anySnapshot.js'
import type { ReadSnapshot } from '../../inspect/attached.js'
import { isAttached } from '../../inspect/isAttached.js'
import { collect } from '../../host/manifestFiles.js'
import { edited } from '../../diagnose/edits.js'
import type { WrittenRequest } from '../../diagnose/writtenRequest.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'
import { parseHostCommand, type HostCommand } from '../../trace/change/hostCommand.js'
import { parseReference, type RuleReference } from '../../trace/rules/without.js'
import { inLanguage } from '../../diagnose/inLanguage.js'
import type { Colours } from '../../text/colour.js'
import type { Language } from '../../text/language.js'
import { familiesOption, ignoreOption, labModeOption } from '../options.js'
import { printColoured } from '../output.js'

/** Options of the verbs that predict a request. */
export interface RequestFlags {
  readonly udp?: true
  readonly icmp?: true
  readonly source?: string
  readonly fromPort?: number
  readonly uid?: number
  readonly gid?: number
  readonly mark?: number
  readonly in?: string
  readonly host?: string
  readonly without: readonly RuleReference[]
  readonly after: readonly HostCommand[]
  readonly mode?: ModeName
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
  readonly filename?: readonly string[] | undefined
}

/** Adds the arguments and options of a request. */
export function withRequest(command: Command): Command {
  return command
    .argument('<lab>', 'name of a lab, or a path: of its folder, of a snapshot, or of what was attached')
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
    .option('--uid <number>', 'the user of the program that calls, if rules ask for it', readNumber)
    .option('--gid <number>', 'the group of that program', readNumber)
    .option('--mark <number>', 'the mark of its packets (default: 0)', readNumber)
    .option(
      '--in <interface>',
      'the packet arrives at <from> by this interface, from --source of another host',
    )
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
    .option('-f, --filename <file>', 'beside an attached file: more files (repeatable)', collect)
    .addOption(labModeOption())
    .addOption(familiesOption())
    .addOption(ignoreOption())
}

/** The request that arguments and options describe. */
export function writtenRequest(from: string, to: string, flags: RequestFlags): WrittenRequest {
  const protocol = flags.icmp === true ? 'icmp' : flags.udp === true ? 'udp' : 'tcp'
  const { source: sourceAddress, fromPort: sourcePort, host, uid, gid, mark, in: arrives } = flags
  return { from, to, protocol, sourceAddress, sourcePort, host, uid, gid, mark, arrives }
}

/** How options have a lab read. */
export function readOptions({
  families,
  mode,
  ignore,
}: Pick<RequestFlags, 'families' | 'mode' | 'ignore'>): PrepareOptions {
  return { families, mode, ignoreKinds: new Set(ignore) }
}

/** Prints what was assumed, and what could not be read. */
export function printNotices(
  { notices }: Pick<Snapshot, 'notices'>,
  colours: Colours,
  language: Language,
): void {
  const say = (text: string) => inLanguage(text, language)
  for (const notice of notices) printColoured(`${colours.bold(say('note'))}: ${say(notice)}\n`)
}

/**
 * What a verb looks at, changed as options say: what was attached, a running lab, or the plan of a lab. Throws InputError, also for
 * options of a plan where there is none.
 */
export async function readNamed(
  name: string,
  flags: RequestFlags & Pick<LabOptions, 'plan'>,
): Promise<ReadSnapshot> {
  const { after, without, filename, plan } = flags
  const { snapshot, bundle } = await readAnySnapshot(name, { filename, plan, prepare: readOptions(flags) })
  if (isAttached(name)) rejectOther(snapshot, flags, 'of this file has')
  else if (snapshot.basis !== 'plan') rejectOther(snapshot, flags)
  return { snapshot: edited(snapshot, { after, without }), bundle }
}

/** Throws InputError for options that a lab does not have, which runs or was read. */
export function rejectOther(
  { model }: Snapshot,
  { families, mode }: Pick<RequestFlags, 'families' | 'mode'>,
  how = 'is running with',
): void {
  const { lab, kubeProxy, topology } = model
  const ownMode = kubeProxy.kind === 'built-in' ? kubeProxy.mode.name : undefined
  const isOther =
    (mode !== undefined && mode !== ownMode) ||
    (families !== undefined && families.join(' ') !== topology.families.join(' '))
  if (!isOther) return
  const has = [ownMode === undefined ? [] : `mode ${ownMode}`, topology.families.join(' and ')].flat()
  throw new InputError([
    {
      message: `the lab "${lab.name}" ${how} ${has.join(', ')}`,
      hint: 'other options apply to a lab that neither runs nor was read from a file',
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
  if (isHostName(text)) return text
  throw new InvalidArgumentError('It must be a host name, such as example.com.')
}

function readNumber(text: string): number {
  const number = Number(text)
  if (/^(\d+|0x[0-9a-f]+)$/i.test(text) && number <= 0xffffffff) return number
  throw new InvalidArgumentError('It must be a number, such as 1000 or 0x4000.')
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65535) return port
  throw new InvalidArgumentError('It must be a number from 1 to 65535.')
}
