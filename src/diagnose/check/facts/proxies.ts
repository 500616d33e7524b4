import { groupBy } from '../../../groupBy.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import { versionText } from '../../../agents/kubeProxy/versions/version.js'
import { proxyVersions } from '../../../snapshot/attached/proxyVersions.js'
import type { NodePlace } from '../../../topology/types.js'
import { linesOf, nodeCommand, restartProxy, type Fact } from './fact.js'

const families = ['IPv4', 'IPv6'] as const

/** Which kube-proxies have written the rules of nodes: several versions, modes or backends. */
export function proxies(snapshot: Snapshot): Fact[] {
  const { nodes } = snapshot.model.topology
  const read = nodes.filter(({ name }) => snapshot.rulesRead?.has(name) !== false)
  return [
    ...read.flatMap((node) => [...oldRules(snapshot, node), ...bothBackends(snapshot, node)]),
    ...differentModes(snapshot, read),
    ...differentVersions(snapshot),
  ]
}

/** Chains KUBE-XLB-…, which kube-proxy has replaced by KUBE-EXT-… in 1.24. */
function oldRules({ state }: Snapshot, { name, netns }: NodePlace): Fact[] {
  const old = families.flatMap((family) =>
    [...(state.rules.get(netns)?.[family]?.get('nat') ?? [])].filter(([chain]) => /^KUBE-XLB-/.test(chain)),
  )
  if (old.length === 0) return []
  return [
    {
      code: 'rules-of-old-version',
      says: `the rules of ${name} were written by kube-proxy before 1.24: it has chains KUBE-XLB-…, which are KUBE-EXT-… since then`,
      node: name,
      note: true,
      at: linesOf(old.flatMap(([, { rules }]) => rules)).slice(0, 1),
      fixes: [{ says: `kube-proxy of ${name} has the version of the API server` }],
    },
  ]
}

/** Rules of kube-proxy in both backends of iptables, or in a table of nftables and in iptables: packets pass both. */
function bothBackends(snapshot: Snapshot, { name, netns }: NodePlace): Fact[] {
  const { rules, nft } = snapshot.state
  const tables = families.flatMap((family) => [...(rules.get(netns)?.[family] ?? [])])
  const first = tables.filter(([table]) => !table.includes(':'))
  const others = tables.filter(([table, chains]) => table.includes(':') && hasRules(chains))
  const native = nft.get(netns)?.tables.some((table) => table.name === 'kube-proxy') ?? false
  const isProxy = ([, chains]: (typeof tables)[number]) =>
    [...chains.keys()].some((chain) => /^KUBE-(SVC|SEP|SERVICES)/.test(chain))
  const leftOver = (native ? first : []).filter(isProxy)
  const [other] = others
  if (other !== undefined) {
    const backend = other[0].replace(/:.*/, '')
    const both = others.some(isProxy) && (first.some(isProxy) || native)
    return [
      {
        code: 'both-backends',
        says: both
          ? `${name} has rules of kube-proxy in both backends of iptables: those of iptables-${backend} are evaluated too, and are possibly old`
          : `${name} has rules in both backends of iptables: packets pass those of iptables-${backend} (table ${others.map(([table]) => table.replace(/.*:/, '')).join(', ')}) too`,
        node: name,
        note: true,
        at: linesOf([...other[1].values()].flatMap((chain) => chain.rules)).slice(0, 1),
        fixes: both
          ? [
              {
                says: 'the rules of the backend that kube-proxy no longer uses are removed',
                command: nodeCommand(snapshot, name, `iptables-${backend} -t nat -F`),
              },
            ]
          : [
              {
                says: 'all programs of the node use one backend (update-alternatives, or the image of the program)',
              },
            ],
      },
    ]
  }
  if (leftOver.length === 0) return []
  return [
    {
      code: 'both-backends',
      says: `${name} has rules of kube-proxy in nftables and in iptables: those of the mode that it no longer uses are evaluated too`,
      node: name,
      note: true,
      at: linesOf(
        leftOver.flatMap(([, chains]) => [...chains.values()].flatMap((chain) => chain.rules)),
      ).slice(0, 1),
      fixes: [
        {
          says: 'the rules of the other mode are removed',
          command: nodeCommand(snapshot, name, 'kube-proxy --cleanup'),
        },
      ],
    },
  ]
}

function hasRules(chains: ReadonlyMap<string, { readonly rules: readonly unknown[] }>): boolean {
  return [...chains.values()].some(({ rules }) => rules.length > 0)
}

function differentModes({ state }: Snapshot, nodes: readonly NodePlace[]): Fact[] {
  const modeOf = ({ netns }: NodePlace): string => {
    if ((state.servers?.get(netns) ?? []).length > 0) return 'ipvs'
    if (state.nft.get(netns)?.tables.some(({ name }) => name === 'kube-proxy')) return 'nftables'
    const chains = state.rules.get(netns)?.IPv4?.get('nat')
    return chains?.has('KUBE-SERVICES') === true && !chains.has('KUBE-NODE-PORT') ? 'iptables' : ''
  }
  const byMode = groupBy(nodes, modeOf)
  const known = [...byMode].filter(([mode]) => mode !== '')
  if (known.length < 2) return []
  const says = known.map(([mode, own]) => `${mode} (${first(own.map(({ name }) => name))})`).join(', ')
  return [
    {
      code: 'kube-proxies-differ',
      says: `nodes have rules of different modes of kube-proxy: ${says}`,
      note: true,
      fixes: [{ says: 'one mode in the configuration of kube-proxy, and a restart on all nodes' }],
    },
  ]
}

/** The images of the pods of kube-proxy. */
function differentVersions(snapshot: Snapshot): Fact[] {
  const found = proxyVersions(snapshot.model.cluster)
    .filter(({ by }) => by === 'image')
    .map(({ version, node, pod = '' }) => ({ version: versionText(version), node, name: pod }))
  const byVersion = [...groupBy(found, ({ version }) => version)].toSorted(
    ([, a], [, b]) => a.length - b.length,
  )
  const [rarest] = byVersion
  if (byVersion.length < 2 || rarest === undefined) return []
  const says = byVersion
    .map(([version, own]) => `${version} (${first(own.map(({ node }) => node))})`)
    .join(', ')
  const [pod] = rarest[1]
  return [
    {
      code: 'kube-proxies-differ',
      says: `nodes run different versions of kube-proxy: ${says}`,
      object: pod && { kind: 'Pod', namespace: 'kube-system', name: pod.name },
      note: true,
      fixes: rarest[1].slice(0, 1).map(({ node }) => restartProxy(snapshot, node)),
    },
  ]
}

/** `a, b, c, …` */
function first(names: readonly string[], most = 3): string {
  return [...names.slice(0, most), ...(names.length > most ? ['…'] : [])].join(', ')
}
