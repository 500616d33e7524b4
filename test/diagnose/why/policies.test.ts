import t from 'tap'
import { check } from '../../../src/diagnose/check/check.js'
import { whyRequest } from '../../../src/diagnose/why/whyRequest.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'
import { attachedSnapshot } from '../../../src/snapshot/attached/attachedState.js'
import { readBundle } from '../../../src/snapshot/attached/bundle.js'
import { hasPolicyAgent } from '../../../src/snapshot/policyAgents.js'
import { objects } from '../check/pasted.js'
import { fixesOf, saysOf, whyIn, webAndCaller } from './whyIn.js'

const service = `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, targetPort: 8080, nodePort: 30080 }] }
`
const labelled = webAndCaller().replace('{ name: caller }', '{ name: caller, labels: { role: client } }')
const policy = (spec: string, name = 'web') => `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: ${name} }
spec: ${spec}
`
const ofWeb = (rules: string) =>
  labelled + service + policy(`{ podSelector: { matchLabels: { app: web } }, ${rules} }`)
const to = 'http://{service/web}/'
const clusterPolicy = (spec: string) => `---
apiVersion: policy.networking.k8s.io/v1alpha2
kind: ClusterNetworkPolicy
metadata: { name: guard }
spec: { priority: 7, subject: { namespaces: {} }, ${spec} }
`

t.test('a policy that isolates the pod, and the smallest change', (t) => {
  const why = whyIn(t, { manifests: ofWeb('policyTypes: [Ingress]'), to })
  t.match(why, { outcome: 'fails', findings: [{ code: 'denied-by-policy', end: { kind: 'rejected' } }] })
  t.match(saysOf(why), [
    /^NetworkPolicy default\/web isolates pod default\/web for ingress, and no rule allows pod default\/caller on TCP port 8080$/,
  ])
  t.match(fixesOf(why), [/networkpolicy\/web .*"path":"\/spec\/ingress".*"role":"client".*"port":8080/])
  t.end()
})

t.test('a label that is misspelt', (t) => {
  const peer = '{ from: [{ podSelector: { matchLabels: { role: cliemt } } }] }'
  const why = whyIn(t, { manifests: ofWeb(`ingress: [${peer}]`), to })
  t.match(saysOf(why), [/default\/web spec\.ingress\[0\] has the port, not the peer \(from\)$/])
  t.match(
    fixesOf(why)[0],
    /"op":"replace","path":"\/spec\/ingress\/0\/from\/0\/podSelector\/matchLabels\/role","value":"client"/,
  )
  t.end()
})

t.test('the port of the Service, which no packet has any more', (t) => {
  const why = whyIn(t, { manifests: ofWeb('ingress: [{ ports: [{ port: 80 }] }]'), to })
  t.match(why, { findings: [{ code: 'policy-service-port' }] })
  t.match(saysOf(why), [
    /spec\.ingress\[0\] allows port 80 of the Service, but policies see the port of the pod$/,
  ])
  t.match(fixesOf(why)[0], /"path":"\/spec\/ingress\/0\/ports\/0\/port","value":8080/)
  t.end()
})

t.test('both ends deny: two changes, which help only together', (t) => {
  const deny = policy('{ podSelector: {}, policyTypes: [Ingress, Egress] }', 'deny')
  const why = whyIn(t, { manifests: labelled + service + deny, to })
  t.match(saysOf(why), [
    /^NetworkPolicy default\/deny isolates pod default\/caller for egress/,
    /^NetworkPolicy default\/deny isolates pod default\/web for ingress/,
  ])
  t.match(fixesOf(why), [
    /"path":"\/spec\/egress".*"app":"web".* && .*networkpolicy\/deny .*"path":"\/spec\/ingress".*"role":"client"/,
  ])
  const [change] = why.findings[0]?.changes ?? []
  t.equal(change?.share, 1, 'verified')
  t.match(
    change?.proposal.says,
    /^spec\.egress also allows .*; NetworkPolicy default\/deny: spec\.ingress also allows /,
  )
  t.end()
})

t.test('in mode nftables, a table denies, and its rules name policy and field', (t) => {
  const lab = 'kubeProxy: { mode: nftables }'
  const table = 'ip kube-router-filter-ipv4'
  const manifests = ofWeb('ingress: [{ from: [{ podSelector: { matchLabels: { role: cliemt } } }] }]')
  const why = whyIn(t, { manifests, to, lab })
  t.match(why, {
    findings: [
      { code: 'denied-by-policy', rule: { table, owner: 'kube-router' }, end: { kind: 'rejected' } },
    ],
  })
  t.match(saysOf(why), [/default\/web spec\.ingress\[0\] has the port, not the peer \(from\)$/])
  t.match(fixesOf(why)[0], /matchLabels\/role","value":"client"/)
  const guard = clusterPolicy(
    'tier: Admin, ingress: [{ action: Deny, from: [{ namespaces: {} }], protocols: [{ tcp: { destinationPort: { number: 8080 } } }] }]',
  )
  const byCluster = whyIn(t, { manifests: labelled + service + guard, to, lab })
  t.match(byCluster.findings, [
    {
      code: 'denied-by-cluster-policy',
      rule: {
        table,
        spec: /^ip saddr \S+ ip daddr \S+ tcp dport 8080 reject comment "guard spec\.ingress\[0\]"$/,
      },
    },
  ])
  t.end()
})

t.test('a client outside that a node masquerades', (t) => {
  const block = 'ingress: [{ from: [{ ipBlock: { cidr: 172.18.1.0/24 } }] }]'
  const why = whyIn(t, { manifests: ofWeb(block), from: 'client', to: 'http://{node-b}:30080/' })
  t.equal(why.outcome, 'passes', 'the pod is on the node that is called')
  const other = whyIn(t, { manifests: ofWeb(block), from: 'client', to: 'http://{node-a}:30080/' })
  t.match(other, { findings: [{ code: 'policy-masqueraded-source' }] })
  t.match(saysOf(other), [
    /allows 172\.18\.1\.2, but a node has masqueraded it: the policy sees 172\.18\.0\.2$/,
  ])
  t.end()
})

t.test('a rule of another agent, whose comments name the policy', (t) => {
  const named = 'INGRESS-POLICY-default/only-admins-TO-podlabel-app:web-IN-ns-default'
  const after = [
    'iptables -N AZURE-NPM-INGRESS',
    'iptables -N AZURE-NPM-INGRESS-1',
    `iptables -A AZURE-NPM-INGRESS -m comment --comment ${named} -j AZURE-NPM-INGRESS-1`,
    'iptables -A AZURE-NPM-INGRESS-1 -s 192.0.2.1 -j ACCEPT',
    'iptables -A AZURE-NPM-INGRESS-1 -m comment --comment DROP-ALL -j MARK --set-xmark 0x400/0x400',
    'iptables -N AZURE-NPM-INGRESS-2',
    `iptables -A AZURE-NPM-INGRESS -d 192.0.2.7 -m comment --comment ${named.replace('only-admins', 'of-other-pods')} -j AZURE-NPM-INGRESS-2`,
    'iptables -A AZURE-NPM-INGRESS -m mark --mark 0x400/0x400 -m comment --comment DROP-ON-INGRESS-DROP-MARK-0x400/0x400 -j DROP',
    'iptables -I FORWARD 1 -d 10.244.2.2 -j AZURE-NPM-INGRESS',
  ].map((command) => `node-b ${command}`)
  const why = whyIn(t, { manifests: webAndCaller(), to: '{pod/web}:8080', after })
  t.match(why, { findings: [{ code: 'denied-by-policy', causes: [{ deniedBy: ['default/only-admins'] }] }] })
  t.match(saysOf(why), [
    /^policy agent Azure NPM stops it in chain AZURE-NPM-INGRESS, whose policies do not allow it: default\/only-admins$/,
  ])
  t.end()
})

/** As `nft list ruleset` prints a table of policies. */
const listing = `table ip kube-router-filter-ipv4 {
	comment "rules of NetworkPolicies"
	map KUBE-POD-FW {
		type ipv4_addr : verdict
		elements = { 10.244.1.7 comment "default/web-1" : jump KUBE-POD-FW-EA7WP5VACSZEGVDJ }
	}

	set KUBE-DST-JEB2RTBKBRKVDVXX {
		type ipv4_addr
		comment "default/web spec.podSelector"
		elements = { 10.244.1.7 }
	}

	set KUBE-SRC-ZH7PMEL32QCTUMHX {
		type ipv4_addr
		flags interval
		comment "default/web spec.ingress[0]"
		elements = { 192.0.2.0/24 }
	}

	chain KUBE-ROUTER-FORWARD {
		type filter hook forward priority filter; policy accept;
		ip saddr vmap @KUBE-POD-FW
		ip daddr vmap @KUBE-POD-FW
		meta mark & 0x00020000 == 0x00020000 accept
	}

	chain KUBE-NWPLCY-JEB2RTBKBRKVDVXX {
		ip saddr @KUBE-SRC-ZH7PMEL32QCTUMHX ip daddr @KUBE-DST-JEB2RTBKBRKVDVXX tcp dport 8080 meta mark set meta mark | 0x00010000 return comment "default/web spec.ingress[0]"
	}

	chain KUBE-POD-FW-EA7WP5VACSZEGVDJ {
		ct state established,related accept
		ip daddr 10.244.1.7 jump KUBE-NWPLCY-JEB2RTBKBRKVDVXX comment "default/web spec.podSelector"
		meta mark & 0x00010000 != 0x00010000 limit rate 10/minute burst 10 packets log group 100 comment "default/web-1 log-drop"
		meta mark & 0x00010000 != 0x00010000 reject comment "default/web-1 reject"
		meta mark set meta mark | 0x00020000 comment "set netpol-ok mark"
	}
}
`

t.test('a saved ruleset with a table of policies, whose objects are not attached', (t) => {
  const attached = (text: string) => {
    const files = { 'objects.yaml': objects, 'n1/nft-list-ruleset.txt': text }
    const bytes = (one: string) => new TextEncoder().encode(one)
    const read = Object.entries(files).map(([path, one]) => ({ path, bytes: bytes(one) }))
    return attachedSnapshot(readBundle('case', read))
  }
  const ask = (text: string) =>
    whyRequest(attached(text), { from: 'caller', to: '10.244.1.7:8080', protocol: 'tcp' })
  const why = ask(listing)
  t.match(why.findings, [
    {
      code: 'denied-by-policy',
      end: { kind: 'rejected' },
      causes: [{ deniedBy: ['default/web'] }],
      rule: { table: 'ip kube-router-filter-ipv4', number: 4, owner: 'kube-router' },
    },
  ])
  t.match(saysOf(why), [
    /^policy agent kube-router stops it in chain KUBE-POD-FW-EA7WP5VACSZEGVDJ, whose policies of pod default\/web-1 do not allow it: default\/web$/,
  ])
  t.equal(ask(listing.replace('192.0.2.0/24', '10.244.1.0-10.244.1.9')).outcome, 'passes')
  t.ok(hasPolicyAgent(attached(listing).state))
  t.end()
})

t.test('egress without DNS', (t) => {
  const dns = policy('{ podSelector: { matchLabels: { role: client } }, policyTypes: [Egress] }', 'egress')
  const why = whyIn(t, { manifests: labelled + service + dns, to: '{pod/web}:53', protocol: 'udp' })
  t.match(why, { findings: [{ code: 'policy-without-dns' }] })
  t.match(saysOf(why), [
    /^NetworkPolicy default\/egress isolates pod default\/caller for egress, .*; without DNS every name fails$/,
  ])
  t.end()
})

t.test('a rule of a ClusterNetworkPolicy, which no NetworkPolicy can allow', (t) => {
  const guard = clusterPolicy(
    'tier: Admin, ingress: [{ action: Pass, from: [{ namespaces: { matchLabels: { a: b } } }] }, { name: no-web, action: Deny, from: [{ namespaces: {} }], protocols: [{ tcp: { destinationPort: { number: 8080 } } }] }]',
  )
  const why = whyIn(t, { manifests: ofWeb('ingress: [{}]') + guard, to })
  t.match(why, {
    outcome: 'fails',
    findings: [{ code: 'denied-by-cluster-policy', end: { kind: 'rejected' } }],
  })
  t.match(saysOf(why), [
    /^ClusterNetworkPolicy guard \(tier Admin, priority 7\) denies ingress of pod default\/web from pod default\/caller on TCP port 8080: spec\.ingress\[1\] “no-web”$/,
  ])
  t.match(fixesOf(why), [
    /clusternetworkpolicy\/guard .*"op":"add","path":"\/spec\/ingress\/1","value":\{"action":"Accept".*"role":"client".*"number":8080/,
  ])
  t.match(why.findings[0]?.rule?.owner, 'kube-router')
  t.end()
})

t.test('tier Baseline, which a NetworkPolicy overrides', (t) => {
  const guard = clusterPolicy(
    'tier: Baseline, egress: [{ action: Deny, to: [{ networks: [10.244.0.0/16] }] }]',
  )
  const why = whyIn(t, { manifests: labelled + service + guard, to })
  t.match(saysOf(why), [
    /\(tier Baseline, priority 7\) denies egress of pod default\/caller to pod default\/web/,
  ])
  t.equal(why.findings[0]?.changes.length, 1, 'the exception helps')
  const own = policy('{ podSelector: {}, policyTypes: [Egress], egress: [{}] }', 'open')
  t.equal(whyIn(t, { manifests: labelled + service + guard + own, to }).outcome, 'passes')
  t.end()
})

t.test('what check finds about policies', (t) => {
  const folder = t.testdir({
    'lab.yaml': 'manifests: [all.yaml]\nnetworkPolicies: { enforce: false }\n',
    'all.yaml': `${labelled}${service}${policy('{ podSelector: { matchLabels: { app: wbe } } }')}${policy('{ podSelector: {}, policyTypes: [Egress] }', 'egress')}`,
  })
  const codes = check(planSnapshot(folder)).findings.map(({ code, note }) => [code, note])
  t.same(codes, [
    ['policy-not-enforced', true],
    ['policy-selects-nothing', true],
    ['policy-without-dns', true],
  ])
  t.end()
})

t.test('egress without DNS is found once: with a fix, and by the policy', (t) => {
  const { findings } = check(planSnapshot('locked-out'))
  t.match(findings, [
    { code: 'policy-service-port', fixes: [{ says: /port: 80 → 8080$/ }, {}] },
    {
      code: 'policy-without-dns',
      note: undefined,
      fixes: [{ says: /also allows DNS/, command: /patch networkpolicy\/till .*"port":53/ }],
    },
  ])
  t.equal(findings.length, 2)
  const two = ['a', 'b'].map((role) =>
    policy(`{ podSelector: { matchLabels: { role: ${role} } }, policyTypes: [Egress] }`, role),
  )
  const pod = (name: string, role: string) => `---
apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { role: ${role} } }
spec: { containers: [{ name: main, image: nginx }] }
`
  const folder = t.testdir({
    'lab.yaml': 'manifests: [all.yaml]\n',
    'all.yaml': `${pod('a-1', 'a')}${pod('a-2', 'a')}${pod('b-1', 'b')}${two.join('')}`,
  })
  const facts = check(planSnapshot(folder)).findings.filter(({ code }) => code === 'policy-without-dns')
  t.match(
    facts.map(({ says, object, fixes }) => [says, object?.name, fixes[0]?.command]),
    [
      [/DNS requests from pod default\/a-1, pod default\/a-2: /, 'a', /patch networkpolicy\/a /],
      [/DNS requests from pod default\/b-1: /, 'b', /patch networkpolicy\/b /],
    ],
  )
  t.end()
})

t.test('policies of the cluster with equal priorities, and one that selects nothing', (t) => {
  const other = (name: string, rest: string) =>
    clusterPolicy(`tier: Admin, ${rest}`).replace('name: guard', `name: ${name}`)
  const none = other('none', 'ingress: []').replace('namespaces: {}', 'namespaces: { matchLabels: { a: b } }')
  const folder = t.testdir({
    'lab.yaml': 'manifests: [all.yaml]\n',
    'all.yaml': `${labelled}${service}${clusterPolicy('tier: Admin')}${other('twin', 'egress: []')}${none}${clusterPolicy('tier: Baseline').replace('name: guard', 'name: last')}`,
  })
  const { findings } = check(planSnapshot(folder))
  t.match(
    findings.map(({ code, says }) => [code, says]),
    [
      ['policy-selects-nothing', /^ClusterNetworkPolicy none selects no pod of the cluster$/],
      [
        'policy-same-priority',
        /^ClusterNetworkPolicies guard, twin have the same place \(tier Admin, priority 7\)/,
      ],
    ],
  )
  t.end()
})
