import { namespacedName } from '../../../cluster/namespacedName.js'
import { groupBy } from '../../../groupBy.js'
import { parseNetwork } from '../../../net/address.js'
import { familyOf } from '../../../net/ipFamily.js'
import { kubeProxyFields } from '../../../snapshot/attached/attachedModel.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import { podRanges } from '../../../snapshot/rules/podRanges.js'
import type { NodePlace } from '../../../topology/types.js'
import { configFix } from '../../why/configCauses.js'
import { some, type Fact } from './fact.js'

/** A field of a configuration that rules contradict. */
interface Contradiction {
  readonly field: 'mode' | 'clusterCIDR'
  readonly declared: string
  readonly shown: string
  /** The field as the rules are. */
  readonly value: string
}

/** Rules that kube-proxy has not written with the configuration in its ConfigMap: it reads that when it starts. */
export function configured(snapshot: Snapshot): Fact[] {
  const { basis, model, rulesRead } = snapshot
  const [found, ...more] = (model.cluster.configMaps ?? []).flatMap((object) =>
    kubeProxyFields(object).map((fields) => ({ object, fields })),
  )
  // which one of several is read is not known
  if (basis !== 'attached' || found === undefined || more.length > 0) return []
  const { fields, object } = found
  const nodes = model.topology.nodes.filter(({ name }) => rulesRead?.has(name) !== false)
  const all = nodes.flatMap((node) =>
    [...otherMode(snapshot, node, fields), ...otherRanges(snapshot, node, fields)].map((one) => ({
      ...{ node: node.name, one },
    })),
  )
  return [...groupBy(all, ({ one }) => Object.values(one).join(' ')).values()].flatMap((own): Fact[] => {
    const [first] = own
    if (first === undefined) return []
    const { field, declared, shown, value } = first.one
    const names = own.map(({ node }) => node)
    const { object: at = { kind: 'ConfigMap', ...nameOf(object.metadata) }, ...fix } = configFix(snapshot, {
      ...{ change: `${field}: ${declared} → ${value}`, fields: { [field]: value }, nodes: names },
    })
    return [
      {
        code: 'kube-proxies-differ',
        says: `ConfigMap ${namespacedName(object)} has ${field} ${declared}, and the rules of ${some(names)} are those of ${field} ${shown}: a restart of kube-proxy may change the rules`,
        object: at,
        note: true,
        ...(names.length === 1 && { node: names[0] }),
        fixes: [fix],
      },
    ]
  })
}

function nameOf({ namespace = 'default', name }: { readonly namespace?: string; readonly name: string }) {
  return { namespace, name }
}

/** Another mode than that of all rules of a node. */
function otherMode({ state }: Snapshot, { netns }: NodePlace, fields: Fields): Contradiction[] {
  const { mode: declared } = fields
  const chains = state.rules.get(netns)?.IPv4?.get('nat') ?? new Map<string, never>()
  const shown = [
    ...((state.servers?.get(netns) ?? []).length > 0 ? ['ipvs'] : []),
    ...(state.nft.get(netns)?.tables.some(({ name }) => name === 'kube-proxy') === true ? ['nftables'] : []),
    ...([...chains.keys()].some((chain) => /^KUBE-(SVC|SEP)-/.test(chain)) ? ['iptables'] : []),
  ]
  const [only] = shown
  if (typeof declared !== 'string' || declared === '' || only === undefined || shown.length > 1) return []
  return declared === only ? [] : [{ field: 'mode', declared, shown: only, value: only }]
}

type Fields = Readonly<Record<string, unknown>>

/** Other ranges of pods than those of the rules of a node. */
function otherRanges({ state }: Snapshot, { netns }: NodePlace, fields: Fields): Contradiction[] {
  const { clusterCIDR: declared, detectLocalMode = '' } = fields
  if (typeof declared !== 'string' || declared === '') return []
  if (detectLocalMode !== '' && detectLocalMode !== 'ClusterCIDR') return []
  const read = podRanges({ rules: state.rules.get(netns), nft: state.nft.get(netns) })
  const ranges = declared.split(',')
  // kube-proxy takes one range of each family
  if (new Set(ranges.map(familyOf)).size < ranges.length) return []
  const wrong = ranges.filter((range) => {
    const shown = read.get(familyOf(range))
    return shown !== undefined && parseNetwork(range)?.text !== parseNetwork(shown)?.text
  })
  if (wrong.length === 0) return []
  const shownFor = (range: string) => read.get(familyOf(range)) ?? range
  const value = ranges.map((range) => (wrong.includes(range) ? shownFor(range) : range)).join(',')
  return [{ field: 'clusterCIDR', declared, shown: wrong.map(shownFor).join(','), value }]
}
