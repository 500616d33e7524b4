import { inputOf } from './commands.js'
import type { FoundIpvs } from './found.js'
import { restoreCommand } from './restore.js'
import { ruleChanges } from './ruleChanges.js'
import { serverChanges, type ServerMemory } from './serverChanges.js'
import { ipvsDevice, type IpvsCommand, type IpvsState } from './types.js'
import { listedEntry } from './ipset.js'
import { createOptions, nameInFamily, setNames } from './sets.js'

/** The commands of one sync, in order, and the state it keeps. */
export interface IpvsSync {
  readonly commands: readonly IpvsCommand[]
  /** Draining real servers. */
  readonly draining: ReadonlySet<string>
}

/**
 * The commands that update a node, in kube-proxy's order: sets, virtual servers and addresses
 * before the rules, deletions after them. Commands without input are omitted.
 */
export function ipvsSync(found: FoundIpvs, wanted: IpvsState, memory: ServerMemory): IpvsSync {
  const servers = serverChanges(found.servers, wanted.virtualServers, memory)
  const bits = wanted.family === 'IPv4' ? 32 : 128
  const address = (verb: 'add' | 'del') => (text: string) =>
    `address ${verb} ${text}/${bits} dev ${ipvsDevice}`
  const [bound, own] = [new Set(found.bound), new Set(wanted.addresses)]
  const commands: IpvsCommand[] = [
    { argv: ['ipset', 'restore'], input: inputOf(setChanges(found.sets, wanted)) },
    { argv: ['ipvsadm', '--restore'], input: inputOf(servers.lines) },
    {
      argv: ['ip', '-force', '-batch', '-'],
      input: inputOf([
        ...(found.device ? [] : [`link add ${ipvsDevice} type dummy`]),
        ...wanted.addresses.filter((one) => !bound.has(one)).map(address('add')),
      ]),
    },
    {
      argv: restoreCommand(wanted.family),
      input: ruleChanges(found.tables, wanted),
    },
    {
      argv: ['ip', '-force', '-batch', '-'],
      input: inputOf(found.bound.filter((one) => !own.has(one)).map(address('del'))),
    },
    { argv: ['ipvsadm', '--restore'], input: inputOf(servers.stale) },
  ]
  return { commands: commands.filter(({ input }) => input !== ''), draining: servers.draining }
}

/**
 * Input of `ipset restore` that updates the existing sets: missing sets are created, surplus
 * entries deleted before missing ones are added. Unlike kube-proxy's own comparison, a source range that is one address
 * is recognised in the form that ipset lists, and kept.
 */
function setChanges(
  found: ReadonlyMap<string, ReadonlySet<string>>,
  { family, sets }: Pick<IpvsState, 'family' | 'sets'>,
): string[] {
  return setNames.flatMap((name) => {
    const own = nameInFamily(name, family)
    const known = found.get(own)
    const wanted = new Set(sets[name].map(listedEntry))
    return [
      ...(known === undefined ? [`create ${own} ${createOptions(name, family)}`] : []),
      ...[...(known ?? [])].filter((entry) => !wanted.has(entry)).map((entry) => `del ${own} ${entry}`),
      ...[...wanted].filter((entry) => known?.has(entry) !== true).map((entry) => `add ${own} ${entry}`),
    ]
  })
}
