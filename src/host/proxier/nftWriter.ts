import { isDeepStrictEqual } from 'node:util'
import type { IpFamily } from '../../net/ipFamily.js'
import { existingOf } from '../../agents/kubeProxy/nftables/existing.js'
import { buildTable, updateTable, type NftTable } from '../../agents/kubeProxy/nftables/table.js'
import {
  deleteChains,
  fullSync,
  nothing,
  partialSync,
  portsOf,
} from '../../agents/kubeProxy/nftables/transactions.js'
import { has } from '../../agents/kubeProxy/versions/features.js'
import type { NodeTables } from './nodeTables.js'
import { countLines, type RuleWriter } from './ruleWriter.js'

/** How long an emptied chain is kept before it is deleted: on kernels before 6.2 a map may still refer to it. */
const staleMs = 1000

/** Writes kube-proxy's table as mode nftables does; mirrors pkg/proxy/nftables. */
export function nftWriter(tables: NodeTables, family: IpFamily): RuleWriter<NftTable> {
  /** Chains that were emptied, with the time when. */
  const stale = new Map<string, number>()

  /** Deletes chains that have been empty for a second; false on failure: a full sync must then read the current state. */
  async function deleteStale({ context }: NftTable, now: number): Promise<string[] | undefined> {
    const due = [...stale].filter(([, since]) => now - since >= staleMs).map(([name]) => name)
    if (due.length === 0) return []
    const error = await tables.applyNft(deleteChains(due, context))
    for (const name of due) stale.delete(name)
    return error === undefined ? due : undefined
  }

  /** A chain that is used again is not deleted. */
  function forget(ports: NftTable['servicePorts']): void {
    for (const { chains } of ports) for (const { name } of chains) stale.delete(name)
  }

  return {
    build: (input) => buildTable(input, family),
    async write({ before, next, changes, now }) {
      const after =
        before === undefined ? buildTable(next, family) : updateTable(before, next, changes.services)
      const chainsDeleted = await deleteStale(after, now)
      const current = isDeepStrictEqual(before?.context, after.context) ? before : undefined
      const full = current === undefined || chainsDeleted === undefined
      const listed = full ? await tables.listNft() : ''
      const transaction = full
        ? fullSync(after, listed === '' ? nothing : existingOf(listed, after.context.ip))
        : partialSync(current, after, changes.services)
      const { text } = transaction
      const error = text === '' ? undefined : await tables.applyNft(text)
      if (error !== undefined) stale.clear()
      else {
        for (const name of transaction.stale) if (!stale.has(name)) stale.set(name, now)
        if (stale.size > 0) forget(full ? after.servicePorts : portsOf(after, changes.services))
      }
      return { after, error, linesWritten: countLines(text), chainsDeleted: chainsDeleted ?? [] }
    },
    spared: ({ context }) => has(context.version, 'neverSyncsAll'),
    // this mode has no canary: a flush is repaired by the next full sync, an hour later at most
    flushed: () => Promise.resolve(false),
  }
}
