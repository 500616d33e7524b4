import t from 'tap'
import {
  namesInNftRule,
  namesInRule,
  policiesAround,
  policyChain,
} from '../../src/netfilter/policyComments.js'
import { parseRule } from '../../src/netfilter/rules/parse.js'

const rules = (...specs: readonly string[]) => specs.map((spec) => namesInRule(parseRule(spec)))

t.test('kube-router, as k3s and k0s run it', (t) => {
  const chains = new Map([
    [
      'KUBE-POD-FW-A',
      {
        rules: rules(
          '-d 10.42.0.9/32 -m comment --comment "run through nw policy deny-all" -j KUBE-NWPLCY-B',
          '-m comment --comment "rule to REJECT traffic destined for POD name:web namespace: shop" -m mark ! --mark 0x10000/0x10000 -j REJECT --reject-with icmp-port-unreachable',
        ),
      },
    ],
    ['KUBE-NWPLCY-B', { rules: [] }],
  ])
  t.same(
    policiesAround((name) => chains.get(name)?.rules ?? [], 'KUBE-POD-FW-A'),
    { pod: 'shop/web', policies: ['shop/deny-all'] },
  )
  t.same(
    policyChain(
      rules(
        '-m comment --comment "rule to ACCEPT traffic from source pods to dest pods selected by policy name: web namespace: shop" -j MARK --set-xmark 0x10000/0x10000',
      ),
    ),
    { pod: undefined, policies: ['shop/web'] },
  )
  t.same(
    policyChain(
      rules(
        '-m comment --comment "x/a reject" -m mark ! --mark 0x10000/0x10000 -j REJECT --reject-with icmp-port-unreachable',
        '-m comment --comment "x/policy policy" -j KUBE-NWPLCY-C',
        '-m comment --comment "guard policy" -j KUBE-CNPLCY-C',
        '-m comment --comment "common netpol rules" -j KUBE-NWPLCY-COMMON',
      ),
    ),
    { pod: 'x/a', policies: ['x/policy', 'guard'] },
  )
  t.end()
})

t.test('Calico: the names are in the chains of policies', (t) => {
  const chains = new Map([
    [
      'cali-tw-cali1',
      {
        rules: rules(
          '-m comment --comment "cali:8xW6" -j cali-pi-_x',
          '-m comment --comment "cali:u4Uq" -m comment --comment "Drop if no policies passed packet" -m mark --mark 0x0/0x20000 -j DROP',
        ),
      },
    ],
    [
      'cali-pi-_x',
      {
        rules: rules(
          '-m comment --comment "cali:aBcD" -m comment --comment "Policy shop/knp.default.web ingress" -m set --match-set cali40s:x src -j MARK --set-xmark 0x10000/0x10000',
        ),
      },
    ],
  ])
  t.same(
    policiesAround((name) => chains.get(name)?.rules ?? [], 'cali-tw-cali1'),
    { pod: undefined, policies: ['shop/web'] },
  )
  t.end()
})

t.test('Calico, policies of the cluster', (t) => {
  const named = (text: string) =>
    policyChain(
      rules(
        `-m comment --comment "cali:aBcD" -m comment --comment "${text}" -j MARK --set-xmark 0x10000/0x10000`,
      ),
    ).policies
  t.same(named('Policy default.everywhere ingress'), ['default.everywhere'])
  t.same(named('Policy kanp.adminnetworkpolicy.guests egress'), ['guests'])
  t.same(named('Profile kns.default ingress'), [], 'no policy')
  t.end()
})

t.test('Azure NPM, and chains of other programs', (t) => {
  t.same(
    policyChain(
      rules(
        '-m comment --comment "INGRESS-POLICY-shop/deny-all-TO-podlabel-app:web-IN-ns-shop" -j AZURE-NPM-INGRESS-1',
      ),
    ),
    { pod: undefined, policies: ['shop/deny-all'] },
  )
  t.same(policyChain(rules('-m comment --comment "default/web:http cluster IP" -j KUBE-SVC-A')), {
    ...{ pod: undefined, policies: [] },
  })
  t.end()
})

t.test(
  'a table of nftables: the comments of labs name policy and field, those of kube-router the policy',
  (t) => {
    const chains = new Map([
      [
        'KUBE-POD-FW-A',
        [
          'jump KUBE-NWPLCY-COMMON comment "common netpol rules"',
          'ip daddr 10.244.1.2 jump KUBE-NWPLCY-B comment "x/policy spec.podSelector"',
          'ip daddr 10.244.1.2 jump KUBE-CNPLCY-C comment "guard spec.subject"',
          'meta mark & 0x00010000 != 0x00010000 reject comment "x/a reject"',
        ],
      ],
      [
        'KUBE-NWPLCY-K',
        [
          'ip saddr @KUBE-SRC-A counter packets 0 bytes 0 return comment "ACCEPT traffic from source pods to dest pods selected by policy name web namespace shop"',
        ],
      ],
    ])
    const rulesOf = (name: string) => (chains.get(name) ?? []).map(namesInNftRule)
    t.same(policiesAround(rulesOf, 'KUBE-POD-FW-A'), { pod: 'x/a', policies: ['x/policy', 'guard'] })
    t.same(policyChain(rulesOf('KUBE-NWPLCY-K')), { pod: undefined, policies: ['shop/web'] })
    t.end()
  },
)
