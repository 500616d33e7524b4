import type { IpFamily } from '../net/ipFamily.js'
import type { SavedTable } from './save.js'

const protocols: Readonly<Record<string, string>> = { '-t': 'TCP', '-u': 'UDP', '--sctp-service': 'SCTP' }

/**
 * The output of `ipvsadm -S -n` and `ipset save` in the shape of iptables-save's tables, for comparisons of what
 * changed: a virtual server (`10.96.0.10:80/TCP`) is a chain whose rules are its real servers, a set one whose
 * rules are its entries. Sorted by name, because the order of the tools means nothing.
 */
export function ipvsAsSaved(servers: string, sets: string, family: IpFamily): SavedTable[] {
  return [serverTable(servers, family), setTable(sets, family)]
}

function serverTable(text: string, family: IpFamily): SavedTable {
  const rules = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [, command, option = '', address = '', spec = ''] =
      /^(-[Aa]) (\S+) (\S+) (.*)$/.exec(line.trim()) ?? []
    const protocol = protocols[option]
    if (protocol === undefined || address.startsWith('[') !== (family === 'IPv6')) continue
    const chain = `${address}/${protocol}`
    // its scheduler is its first rule, so that a new scheduler is a change too
    if (command === '-A') rules.set(chain, [spec])
    else rules.get(chain)?.push(spec)
  }
  return tableOf('ipvs', rules)
}

function setTable(text: string, family: IpFamily): SavedTable {
  const rules = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [command, name = '', entry = ''] = line.split(' ', 3)
    if (name.startsWith('KUBE-6-') !== (family === 'IPv6')) continue
    if (command === 'create') rules.set(name, [])
    else if (command === 'add') rules.get(name)?.push(entry)
  }
  return tableOf('ipset', rules)
}

function tableOf(table: string, rules: ReadonlyMap<string, readonly string[]>): SavedTable {
  const names = [...rules.keys()].sort()
  return {
    table,
    chains: names.map((name) => ({ name, policy: '-', packets: 0, bytes: 0 })),
    rules: names.flatMap((chain) => (rules.get(chain) ?? []).toSorted().map((spec) => ({ chain, spec }))),
  }
}
