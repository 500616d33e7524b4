import type { FoundIpvs } from './found.js'
import { restoreProgram } from './restore.js'
import { ruleChanges } from './ruleChanges.js'
import { serverChanges, type ServerMemory } from './serverChanges.js'
import { setChanges } from './setChanges.js'
import { ipvsDevice, type IpvsCommand, type IpvsState } from './types.js'

/** What one sync runs, in order, and what it remembers. */
export interface IpvsSync {
  readonly commands: readonly IpvsCommand[]
  /** Real servers that drain from now on. */
  readonly draining: ReadonlySet<string>
}

/**
 * What brings a node from what stands to what is wanted, in kube-proxy's order: sets, virtual servers and addresses
 * before the rules, and after them what is not wanted any more. A command that has nothing to do is left out.
 */
export function ipvsSync(found: FoundIpvs, wanted: IpvsState, memory: ServerMemory): IpvsSync {
  const servers = serverChanges(found.servers, wanted.virtualServers, memory)
  const bits = wanted.family === 'IPv4' ? 32 : 128
  const address = (verb: 'add' | 'del') => (text: string) =>
    `address ${verb} ${text}/${bits} dev ${ipvsDevice}`
  const [bound, own] = [new Set(found.bound), new Set(wanted.addresses)]
  const commands: IpvsCommand[] = [
    { argv: ['ipset', 'restore'], input: text(setChanges(found.sets, wanted)) },
    { argv: ['ipvsadm', '--restore'], input: text(servers.lines) },
    {
      argv: ['ip', '-force', '-batch', '-'],
      input: text([
        ...(found.device ? [] : [`link add ${ipvsDevice} type dummy`]),
        ...wanted.addresses.filter((one) => !bound.has(one)).map(address('add')),
      ]),
    },
    {
      argv: [restoreProgram(wanted.family), '--noflush', '--counters'],
      input: ruleChanges(found.tables, wanted),
    },
    {
      argv: ['ip', '-force', '-batch', '-'],
      input: text(found.bound.filter((one) => !own.has(one)).map(address('del'))),
    },
    { argv: ['ipvsadm', '--restore'], input: text(servers.stale) },
  ]
  return { commands: commands.filter(({ input }) => input !== ''), draining: servers.draining }
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
