import type { IpFamily } from '../../net/ipFamily.js'
import { ruleCounts } from '../../netfilter/counts.js'
import { nftAsSaved } from '../../netfilter/nftAsSaved.js'
import { parseNftLists, rulesByHandle } from '../../netfilter/nftList.js'
import { tracedRules, type TracedRule } from '../../netfilter/nftTrace.js'
import type { RuleCount } from '../../netfilter/types.js'
import { tableName } from '../../agents/kubeProxy/nftables/writer.js'
import { policyTable } from '../../agents/networkPolicy/nftTable.js'
import { listNodeTables } from '../readings.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { startKernelTrace, type KernelTrace } from './kernelTrace.js'
import type { TraceOptions } from './traceListener.js'

/** What packets met in the nft tables of kube-proxy and of policies in one namespace. */
export interface TracedTables {
  /** The rules that packets have matched since the start or the last call, in order. */
  readonly met: readonly TracedRule[]
  /** The current rules, chains, sets and maps, as counters of zero. */
  readonly existing: readonly RuleCount[]
}

/** Packets of several namespaces that are traced through these tables. */
export interface NftTrace {
  /** By namespace. Throws CommandError. */
  take(): Promise<ReadonlyMap<string, TracedTables>>
  /** Ends the trace; returns the same as `take`. */
  stop(): Promise<ReadonlyMap<string, TracedTables>>
}

/** Traces packets that begin a connection or belong to none. Throws CommandError and CannotRunError. */
export async function startNftTrace(
  sandbox: Sandbox,
  netnsNames: readonly string[],
  families: readonly IpFamily[],
  tracer: TraceOptions['tracer'],
): Promise<NftTrace> {
  const places = netnsNames.map((netns) => ({ place: netns, netns }))
  const trace = await startKernelTrace(sandbox, places, { packets: 'new', backend: 'nft', tracer })
  const tables = [tableName, ...families.map((family) => nameOf(policyTable(family)))]
  // a rule can be removed after packets have met it: its text is kept
  const texts = new Map<string, string>()
  const list = async (netns: string, family: IpFamily) => {
    const listed = await listNodeTables(sandbox, netns, family, ['-a'])
    for (const table of listed.split(/^(?=table )/m)) {
      const [, name = ''] = /^table (\S+ \S+) /.exec(table) ?? []
      for (const [handle, rule] of rulesByHandle(table)) texts.set(`${netns} ${name} ${handle}`, rule)
    }
    return parseNftLists(listed).map(nftAsSaved)
  }
  const read = async (taking: ReturnType<KernelTrace['take']>) => {
    const listing = netnsNames.map((netns) => Promise.all(families.map((family) => list(netns, family))))
    const [messages, listed] = await Promise.all([taking, Promise.all(listing)])
    const tracedIn = (netns: string, index: number): TracedTables => {
      const current = listed[index]?.flat() ?? []
      return {
        met: tracedRules(messages.get(netns) ?? [], tables, ({ family, table }, handle) =>
          texts.get(`${netns} ${family} ${table} ${handle}`),
        ),
        existing: [
          // a chain without rules, or a map without elements, is there too
          ...current.flatMap(({ table, chains }) =>
            chains.map(({ name }) => ({ table, chain: name, rule: '', packets: 0 })),
          ),
          ...ruleCounts(current),
        ],
      }
    }
    return new Map(netnsNames.map((netns, index) => [netns, tracedIn(netns, index)]))
  }
  return {
    take: () => read(trace.take()),
    stop: () => read(trace.take().finally(() => trace.stop())),
  }
}

/** The name of a table without its family. */
function nameOf(table: string): string {
  return table.replace(/^\S+ /, '')
}
