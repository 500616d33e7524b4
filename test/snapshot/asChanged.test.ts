import t from 'tap'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { asChanged } from '../../src/snapshot/asChanged.js'
import { plannedState } from '../../src/snapshot/fromPlan/plannedState.js'
import { editNftChain, nftChainAt } from '../../src/trace/change/editNft.js'

t.test(
  'in mode nftables, chains that differ between the plans change, others stay the kernel’s',
  async (t) => {
    const before = plannedState(prepareLab('nodeport', { mode: 'nftables' }))
    const at = (chain: string) => ({ place: 'node-a', table: 'ip kube-proxy', chain })
    const emptied = (state: typeof before, chain: string) =>
      editNftChain(state, at(chain), (own) => ({ ...own, rules: [] }))
    const kernel = emptied(before, 'services')
    const changed = asChanged(kernel, before, emptied(before, 'masquerading'))
    const count = (state: typeof before, chain: string) => nftChainAt(state, at(chain))?.rules.length
    t.equal(count(before, 'masquerading'), 2)
    t.equal(count(changed, 'masquerading'), 0, 'as the change makes it')
    t.equal(count(changed, 'services'), 0, 'as the kernel has it')
    t.equal(count(changed, 'cluster-ips-check'), 2)
  },
)

t.test('a table that a change makes is the newest one, and one that it removes is left out', (t) => {
  const lab = prepareLab('network-policy', { mode: 'nftables' })
  const without = plannedState(lab)
  const spec = { podSelector: {}, policyTypes: ['Ingress'] }
  const deny = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy' as const,
    metadata: { name: 'deny' },
    spec,
  }
  const after = plannedState({ ...lab, cluster: { ...lab.cluster, networkPolicies: [deny] } })
  const order = (state: typeof without) => state.nft.get('node-a')?.order
  t.same(order(without), ['ip kube-proxy'])
  const changed = asChanged(without, without, after)
  t.same(order(changed), ['ip kube-proxy', 'ip kube-router-filter-ipv4'])
  const table = 'ip kube-router-filter-ipv4'
  t.ok(nftChainAt(changed, { place: 'node-a', table, chain: 'KUBE-ROUTER-FORWARD' })?.hook)
  t.same(order(asChanged(changed, after, without)), ['ip kube-proxy'])
  t.end()
})

t.test('with a kube-proxy program, the plan has its rules for their meaning, and predicts nothing', (t) => {
  const planned = plannedState(prepareLab('nodeport', { kubeProxyBinary: process.execPath }))
  const builtIn = plannedState(prepareLab('nodeport'))
  const rules = (state: typeof planned) =>
    state.rules.get('node-a')?.IPv4?.get('nat')?.get('KUBE-NODEPORTS')?.rules
  t.match(rules(planned), [{ spec: /--dport 30080/ }])
  t.strictSame(rules(planned), rules(builtIn))
  t.strictSame([...planned.opaque.keys()], ['node-a', 'node-b'])
  t.equal(builtIn.opaque.size, 0)

  const kernel = { ...planned, opaque: new Map<string, string>() }
  t.equal(asChanged(kernel, planned, planned).opaque.size, 0, 'rules that were read are evaluated')
  t.end()
})
