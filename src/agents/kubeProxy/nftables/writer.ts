import { nodePortIPsSet } from './containers.js'
import type { NftContext } from './context.js'
import type { NftChain, NftContainer, NftElement } from './rule.js'
import type { NftTable } from './table.js'
import { writtenRule } from './writtenRule.js'

/** The name of kube-proxy's tables. */
export const tableName = 'kube-proxy'

/** Writes the lines of one transaction, like knftables for kube-proxy. */
export interface NftWriter {
  readonly lines: string[]
  addChain(chain: NftChain): void
  flushChain(name: string): void
  addRules(chain: NftChain): void
  addContainer(container: NftContainer): void
  addElement(container: string, element: NftElement): void
  deleteElement(container: string, element: NftElement): void
  /** `delete set ip kube-proxy NAME` and the like. */
  raw(command: string, kind: string, name: string): void
}

/** A writer for the table of one family. */
export function nftWriter(context: Pick<NftContext, 'ip'>): NftWriter {
  const lines: string[] = []
  const of = `${context.ip} ${tableName}`
  return {
    lines,
    addChain: (chain) => lines.push(`add chain ${of} ${chain.name}${chainOptions(chain)}`),
    flushChain: (name) => lines.push(`flush chain ${of} ${name}`),
    addRules(chain) {
      for (const rule of chain.rules) {
        lines.push(`add rule ${of} ${chain.name} ${writtenRule(rule, context)}`)
      }
    },
    addContainer: (one) => lines.push(`add ${one.kind} ${of} ${one.name} ${containerOptions(one)}`),
    addElement: (container, element) =>
      lines.push(`add element ${of} ${container} { ${elementText(element)} }`),
    deleteElement: (container, { key }) => lines.push(`delete element ${of} ${container} { ${key} }`),
    raw: (command, kind, name) => lines.push(`${command} ${kind} ${of} ${name}`),
  }
}

/** What each full sync writes first: the table, base chains, sets, maps and the rules that every node has. */
export function writeBase({ context, containers, fixed }: NftTable, writer: NftWriter): void {
  writer.lines.push(`add table ${context.ip} ${tableName} { comment "rules for kube-proxy" ; }`)
  for (const container of containers) writer.addContainer(container)
  const { nodePortIPs } = context
  if (nodePortIPs !== undefined) {
    writer.raw('flush', 'set', nodePortIPsSet)
    for (const key of nodePortIPs) writer.addElement(nodePortIPsSet, { key })
  }
  for (const chain of fixed) {
    writer.addChain(chain)
    writer.flushChain(chain.name)
  }
  for (const chain of fixed) writer.addRules(chain)
}

/** An element between its braces. */
export function elementText({ key, value, comment }: NftElement): string {
  const said = comment === undefined ? key : `${key} comment "${comment}"`
  return value === undefined ? said : `${said} : ${value}`
}

function chainOptions({ hook, comment }: NftChain): string {
  const parts = [
    ...(hook === undefined ? [] : [`type ${hook.type} hook ${hook.hook} priority ${hook.priority} ;`]),
    ...(comment === undefined ? [] : [`comment "${comment}" ;`]),
  ]
  return parts.length === 0 ? '' : ` { ${parts.join(' ')} }`
}

function containerOptions({ kind, type, comment, timeout }: NftContainer): string {
  const parts = [
    `type ${type}${kind === 'map' ? ' : verdict' : ''} ;`,
    ...(timeout === undefined ? [] : ['flags dynamic,timeout ;', `timeout ${timeout}s ;`]),
    ...(comment === undefined ? [] : [`comment "${comment}" ;`]),
  ]
  return `{ ${parts.join(' ')} }`
}
