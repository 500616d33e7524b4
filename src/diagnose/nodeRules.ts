import { listedEntry } from '../agents/kubeProxy/ipvs/ipset.js'
import { ipvsDevice } from '../agents/kubeProxy/ipvs/types.js'
import { policyTable } from '../agents/networkPolicy/nftTable.js'
import type { FoundRules } from '../agents/kubeProxy/foundRules.js'
import { familyOf, type IpFamily } from '../net/ipFamily.js'
import { joinHostPort } from '../net/socketText.js'
import { allElements } from '../netfilter/nft/elements.js'
import type { NftBlock } from '../netfilter/nftList.js'
import type { SavedTable } from '../netfilter/save.js'
import { nftTableName, type NftTracedSet } from '../snapshot/model/nft.js'
import type { TracedChain } from '../snapshot/model/state.js'
import type { BalancingPart, Snapshot } from '../snapshot/model/snapshot.js'
import type { NodePlace } from '../topology/types.js'

/** What a snapshot has of the rules of one node, in one family. */
export interface NodeRules {
  readonly found: FoundRules
  /** Parts that it does not have, by the table of an explained chain: `ipset`. */
  readonly unknown: ReadonlyMap<string, string>
}

const partTexts: Readonly<Record<BalancingPart, string>> = {
  device: `the addresses of ${ipvsDevice} (ip addr)`,
  ipset: 'ipsets (ipset save)',
  ipvs: 'virtual servers (ipvsadm -Ln)',
}

/** The rules of a node in a snapshot, as the tools of all modes list them. */
export function rulesOnNode(
  snapshot: Snapshot,
  { name: node, netns }: Pick<NodePlace, 'name' | 'netns'>,
  family: IpFamily,
): NodeRules {
  const { state } = snapshot
  const devices = state.network.devices.filter((one) => one.netns === netns)
  const addresses = (isOwn: boolean) =>
    devices
      .filter(({ name }) => (name === ipvsDevice) === isOwn)
      .flatMap((one) => one.addresses)
      .map(({ address }) => address)
  const device = devices.some(({ name }) => name === ipvsDevice)
  const sets = state.sets?.get(netns) ?? new Map<string, never>()
  const servers = state.servers?.get(netns) ?? []
  return {
    found: {
      tables: savedTables(snapshot, netns, family),
      listing: listingOf(snapshot, netns, `${family === 'IPv4' ? 'ip' : 'ip6'} kube-proxy`),
      policies: listingOf(snapshot, netns, policyTable(family)),
      ipvs: {
        device,
        servers: servers
          .filter(({ address }) => familyOf(address) === family)
          .map(({ realServers, ...server }) => ({
            ...server,
            // how kube-proxy makes them; no reading has the flag
            mhPort: server.scheduler === 'mh',
            realServers: realServers.map(({ address, port, weight }) => ({
              ...{ text: joinHostPort(address, port), weight, connections: 0 },
            })),
          })),
        // a plan has entries as kube-proxy writes them
        sets: new Map([...sets].map(([name, { entries }]) => [name, new Set([...entries].map(listedEntry))])),
        bound: addresses(true).filter(
          (address) => familyOf(address) === family && !/^fe[89ab]/.test(address),
        ),
        elsewhere: addresses(false),
      },
    },
    unknown: new Map((snapshot.assumed?.get(node) ?? []).map((part) => [part, partTexts[part]])),
  }
}

/** The tables of iptables of a node, as iptables-save prints them. */
export function savedTables({ state }: Snapshot, netns: string, family: IpFamily): SavedTable[] {
  return [...(state.rules.get(netns)?.[family] ?? [])].flatMap(([table, chains]) =>
    // those of the other backend; and mangle, where only a canary of kube-proxy is, is seldom in dumps made table by table
    table.includes(':') || (table === 'mangle' && isEmpty(chains))
      ? []
      : [
          {
            table,
            chains: [...chains].map(([name, { policy = '-' }]) => ({ name, policy, packets: 0, bytes: 0 })),
            rules: [...chains].flatMap(([chain, { rules }]) =>
              rules.map(({ spec, at }) => ({ chain, spec, ...(at && { line: at.line, file: at.file }) })),
            ),
          },
        ],
  )
}

function isEmpty(chains: ReadonlyMap<string, TracedChain>): boolean {
  return [...chains.values()].every(({ policy = '-', rules }) => policy !== '-' && rules.length === 0)
}

function listingOf({ state }: Snapshot, netns: string, name: string): FoundRules['listing'] {
  const table = state.nft.get(netns)?.tables.find((one) => nftTableName(one) === name)
  if (table === undefined) return undefined
  return {
    table: `table ${name}`,
    blocks: [
      ...[...table.chains].map(([name, { rules }]): NftBlock => ({
        ...{ kind: 'chain', name, elements: [] },
        lines: rules.map(({ spec }) => spec),
      })),
      ...[...table.sets].map(blockOfSet),
    ],
  }
}

function blockOfSet([name, { elements }]: readonly [string, NftTracedSet]): NftBlock {
  // rules fill these sets
  if (name.startsWith('affinity-')) return { kind: 'set', name, lines: [], elements: [] }
  const all = [...allElements(elements)]
  return {
    kind: all.some(({ value }) => value !== undefined) ? 'map' : 'set',
    name,
    lines: [],
    elements: all.map(({ text, value }) => (value === undefined ? text : `${text} : ${value}`)),
  }
}
