import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import { matchOf, type Rule } from '../../../netfilter/rules/model.js'
import { nodeCommand, linesOf, type Fact } from './fact.js'

const families = ['IPv4', 'IPv6'] as const

/** Rules of other programs that use the bit with which kube-proxy marks packets for masquerading, or kubelet’s for dropping. */
export function marks(snapshot: Snapshot): Fact[] {
  const { model, state } = snapshot
  if (model.kubeProxy.kind === 'none') return []
  const { config, mode } = model.kubeProxy
  const { masqueradeBit } = mode.ownTable === undefined ? config.iptables : config.nftables
  const bit = (2 ** masqueradeBit) >>> 0
  return model.topology.nodes.flatMap(({ name, netns }) => [
    ...families.flatMap((family) =>
      [...(state.rules.get(netns)?.[family] ?? [])].flatMap(([table, chains]) =>
        [...chains].flatMap(([chain, { rules }]) =>
          /^(KUBE-|FLANNEL-|CNI-)/.test(chain)
            ? []
            : rules.flatMap((traced): Fact[] => {
                const { rule, spec, owner } = traced
                const does = owner === 'kube-proxy' || owner === 'CNI plugin' ? undefined : useOf(rule, bit)
                if (does === undefined) return []
                return [
                  {
                    code: 'mark-collision',
                    says: `a rule of ${table} ${chain} on ${name} ${does}, with which kube-proxy marks packets for masquerading: ${spec}`,
                    node: name,
                    note: true,
                    rule: `${name} ${table} ${chain}: ${spec}`,
                    decided: { place: name, table, chain, spec, owner },
                    at: linesOf([traced]),
                    fixes: [
                      {
                        says: 'the other program uses other bits of the mark, or masqueradeBit of kube-proxy is another one',
                      },
                    ],
                  },
                ]
              }),
        ),
      ),
    ),
    ...(state.policies ?? []).flatMap(({ netns: own, mark, priority, table = '' }): Fact[] =>
      own !== netns || mark === undefined || (mark.mask & bit) === 0 || (mark.value & bit) === 0
        ? []
        : [
            {
              code: 'mark-collision',
              says: `rule ${priority} of policy routing on ${name} sends packets with the mark ${hex(mark.value)} to table ${table}; ${hex(bit)} is the mark of kube-proxy for masquerading`,
              node: name,
              note: true,
              fixes: [
                {
                  says: 'the other program uses other bits of the mark',
                  command: nodeCommand(snapshot, name, 'ip rule'),
                },
              ],
            },
          ],
    ),
  ])
}

const hex = (value: number) => `0x${value.toString(16)}`

/** What a rule does with a bit of the mark: not if it only reads it to let packets pass. */
function useOf(rule: Rule, bit: number): string | undefined {
  const { target } = rule
  if (target?.kind === 'MARK') {
    const { value, mask } = target.setXmark
    if ((value & mask & bit) !== 0) return `sets ${hex(bit)}`
    // a whole mark that is set takes away all bits, where kube-proxy has set its own before
    return undefined
  }
  const { mark } = matchOf(rule, 'mark') ?? {}
  const isRead =
    mark !== undefined &&
    !mark.negated &&
    (mark.value.mask & mark.value.value & bit) !== 0 &&
    mark.value.mask !== 0xffffffff
  const ends = target?.kind === 'DROP' || target?.kind === 'REJECT'
  return isRead && ends ? `ends packets with ${hex(bit)}` : undefined
}
