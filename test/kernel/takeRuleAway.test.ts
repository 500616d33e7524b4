import t, { type Test } from 'tap'
import { liveModeOf } from '../../src/host/proxier/liveModes.js'
import type { CataloguedRule } from '../../src/agents/kubeProxy/cataloguedRule.js'
import { createCatalogue } from '../../src/lab/mutate/catalogue.js'
import { modeOnNodes } from '../../src/snapshot/model/kubeProxy.js'
import { proxyInputs } from '../../src/snapshot/fromPlan/proxyInputs.js'
import { prepareLab, type PreparedLab } from '../../src/lab/plan/prepareLab.js'
import { inputOfNode } from '../../src/agents/kubeProxy/input.js'
import { cannotRun } from './ability.js'
import { cannotLoadNft } from './loadNft.js'
import { loaderOf } from './loadRules.js'
import { kernelNode, type KernelNode } from './proxierNode.js'
import { runs } from '../suite.js'

const name = 'node-a'
const facts = { nfacct: false, randomFully: true }

/** What the kube-proxy of the node writes. */
function written({ kubeProxy, ...state }: PreparedLab): string {
  if (kubeProxy.kind !== 'built-in') throw new Error(kubeProxy.kind)
  return kubeProxy.mode.render(inputOfNode(proxyInputs(state, kubeProxy.config, facts), name), 'IPv4')
}

/** Every rule that stands, every fourth in `npm test`, is taken away, is missing, and comes back to its place. */
async function eachComesBack(
  t: Test,
  { sandbox, iptables, netns }: KernelNode,
  prepared: PreparedLab,
  list: () => Promise<string>,
): Promise<void> {
  const catalogue = createCatalogue(facts)
  catalogue.note(prepared)
  const rules = catalogue
    .rules()
    .notMet.filter(({ node, family }) => node === name && family === 'IPv4')
    .filter((_, index) => index % runs(1, 4) === 0)
  t.ok(rules.length > 4)
  const mode = liveModeOf(modeOnNodes(prepared.kubeProxy).name)
  const take = (rule: CataloguedRule) => mode.takeRuleAway(sandbox, iptables, netns, rule)
  const before = await list()
  const without = new Set<string>()
  for (const rule of rules) {
    const ruleText = `${rule.chain} ${rule.spec}`
    const taken = await take(rule)
    const gone = await list()
    without.add(gone)
    t.ok(gone.length < before.length, `gone: ${ruleText}`)
    t.equal(await taken?.putBack(), true, ruleText)
    t.equal(await list(), before, `as before: ${ruleText}`)
  }
  t.equal(without.size, rules.length, 'each is another one')
  for (const rule of rules.slice(0, 1)) {
    t.equal(await take({ ...rule, spec: 'none', line: 'none' }), undefined, 'none is taken for another')
    const taken = await take(rule)
    t.equal(await take(rule), undefined, 'what is gone cannot be taken')
    await taken?.putBack()
  }
}

for (const backend of ['nft', 'legacy'] as const) {
  const { skip } = loaderOf('IPv4', backend)
  t.test(
    `a rule of iptables (${backend}) is taken away and put back`,
    { skip: cannotRun || skip },
    async (t) => {
      const prepared = prepareLab('session-affinity')
      const node = await kernelNode(t, 'IPv4', backend)
      const { tables } = node
      const error = await tables.restore(written(prepared))
      t.equal(error, undefined)
      const list = async () => (await tables.save()).replace(/^[#:].*\n/gm, '')
      await eachComesBack(t, node, prepared, list)
    },
  )
}

t.test(
  'a rule and an element of nftables is taken away and put back',
  { skip: cannotRun || cannotLoadNft() },
  async (t) => {
    const prepared = prepareLab('traffic-policy', { mode: 'nftables' })
    const node = await kernelNode(t, 'IPv4')
    t.equal(await node.tables.applyNft(written(prepared)), undefined)
    const list = async () => (await node.run(['nft', '-s', 'list', 'table', 'ip', 'kube-proxy'])).stdout
    await eachComesBack(t, node, prepared, list)
  },
)
