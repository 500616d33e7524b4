import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import type { IpFamily } from '../../../src/net/ipFamily.js'
import type { EndpointSlice, KubeObject, Node, Service } from '../../../src/cluster/types.js'
import { parseNftList } from '../../netfilter/nftListing.js'
import type { NftListing } from '../../../src/netfilter/nftList.js'
import { parseSave, type SavedTable } from '../../../src/netfilter/save.js'
import { parseKubeProxyConfiguration } from '../../../src/agents/kubeProxy/parseConfig.js'
import type { ProxyInput } from '../../../src/agents/kubeProxy/input.js'

/** One recording of the real kube-proxy. */
export interface GoldenCase {
  readonly name: string
  readonly input: ProxyInput
  /** nat and filter as recorded. */
  readonly saved: Readonly<Record<IpFamily, SavedTable[]>>
  /** kube-proxy's tables in nftables mode; undefined where the case is about what that mode does not know. */
  readonly nft: Readonly<Record<IpFamily, NftListing>> | undefined
}

const folder = 'test/golden/kube-proxy-1.36'

/** Every case recorded of kube-proxy 1.36, read from the project's root. */
export function goldenCases(): GoldenCase[] {
  return readdirSync(folder).map((name) => {
    const read = (file: string) => readFileSync(join(folder, name, file), 'utf8')
    const { node, kubeProxy } = parse(read('case.yaml')) as {
      node: string
      kubeProxy: Record<string, unknown>
    }
    const objects = parseAllDocuments(read('objects.yaml')).map((document) => document.toJS() as KubeObject)
    const ofKind = <T extends KubeObject>(kind: string) =>
      objects.filter((object) => object.kind === kind) as T[]
    const { config: written, problems } = parseKubeProxyConfiguration(kubeProxy)
    if (problems.length > 0) throw new Error(`${name}: ${problems[0]?.message ?? ''}`)
    // in nftables mode the case's masquerade settings were given in the section of that mode
    const { masqueradeAll, masqueradeBit } = written.iptables
    const config = { ...written, nftables: { ...written.nftables, masqueradeAll, masqueradeBit } }
    const own = ofKind<Node>('Node').find((one) => one.metadata.name === node)
    if (!own) throw new Error(`${name}: no Node ${node}`)
    return {
      name,
      input: {
        services: ofKind<Service>('Service'),
        endpointSlices: ofKind<EndpointSlice>('EndpointSlice'),
        node: own,
        config,
        nfacct: true,
        localAddresses: ['127.0.0.1', '::1', '172.18.0.2', 'fd00:18::2'],
        serviceCIDRs: ['10.96.0.0/16', 'fd00:10:96::/112'],
      },
      saved: { IPv4: parseSave(read('iptables-save.txt')), IPv6: parseSave(read('ip6tables-save.txt')) },
      nft: existsSync(join(folder, name, 'nft-ip.txt'))
        ? { IPv4: parseNftList(read('nft-ip.txt')), IPv6: parseNftList(read('nft-ip6.txt')) }
        : undefined,
    }
  })
}

/** The recording as a kernel without nfacct would have it. */
export function withoutNfacct(tables: readonly SavedTable[]): SavedTable[] {
  return tables.map((table) => ({
    ...table,
    rules: table.rules
      .filter((rule) => !rule.spec.includes('localhost_nps_accepted_pkts'))
      .map((rule) => ({ ...rule, spec: rule.spec.replace(/ -m nfacct --nfacct-name {2}\S+/, '') })),
  }))
}
