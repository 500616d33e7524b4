import t from 'tap'
import type { SavedTable } from '../../../../src/netfilter/save.js'
import { savedSpec } from '../../../../src/agents/kubeProxy/iptables/savedRule.js'
import { explainPortals } from '../../../../src/agents/kubeProxy/userspace/explainPortals.js'
import { portalOrders } from '../../../../src/agents/kubeProxy/userspace/orders.js'
import { buildPortals } from '../../../../src/agents/kubeProxy/userspace/portals.js'
import { userspaceRules } from '../../../../src/agents/kubeProxy/userspace/rules.js'
import { input, service } from '../objects.js'

t.test('rules are listed by Service, with the proxy ports of the process', (t) => {
  const of = input([service('web', { clusterIP: '10.96.0.10' })], [])
  const portals = buildPortals(of, 'IPv4', 20041)
  const { nat, jumps } = userspaceRules(portals.portals, portals.place)
  const rules = [...jumps.filter(({ table }) => table === 'nat'), ...nat].map((rule) => ({
    chain: rule.chain,
    spec: savedSpec(rule, 'IPv4'),
  }))
  const saved: SavedTable[] = [{ table: 'nat', chains: [], rules: rules.slice(0, -1) }]
  const explained = explainPortals(of, 'IPv4', [portalOrders('IPv4', portals)], saved, 'en')
  t.match(
    explained.services.flatMap(({ ports }) => ports.flatMap(({ chains }) => chains)),
    [
      { chain: 'KUBE-PORTALS-CONTAINER', rules: [{ state: 'expected', spec: /--to-ports 20042$/ }] },
      { chain: 'KUBE-PORTALS-HOST', rules: [{ state: 'missing', spec: /192\.168\.0\.2:20042$/ }] },
    ],
  )
  t.same(
    explained.last.map(({ chain }) => chain),
    ['INPUT'],
    'the missing jump of the filter table is reported',
  )
  t.end()
})
