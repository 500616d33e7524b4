import t from 'tap'
import { whyRequest } from '../../../src/diagnose/why/whyRequest.js'
import { check } from '../../../src/diagnose/check/check.js'
import { attachedSnapshot } from '../../../src/snapshot/attached/attachedState.js'
import type { Snapshot } from '../../../src/snapshot/model/snapshot.js'
import { readBundle } from '../../../src/snapshot/attached/bundle.js'
import { objects, save } from '../check/pasted.js'
import { saysOf } from './whyIn.js'

const clusterPolicy = `---
apiVersion: policy.networking.k8s.io/v1alpha2
kind: ClusterNetworkPolicy
metadata: {name: no-callers}
spec:
  tier: Admin
  priority: 3
  subject: {namespaces: {}}
  ingress: [{action: Deny, from: [{pods: {namespaceSelector: {}, podSelector: {matchLabels: {app: other}}}}]}]
`
const policy = `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed, namespace: default}
spec: {podSelector: {matchLabels: {app: web}}}
`

/** Attached files of a cluster where a chain of an agent drops what goes to the pods of Service default/web. */
function attached(chain: string, ofCluster = clusterPolicy) {
  const rules = save(
    ['10.244.1.7:8080', '10.244.2.7:8080'],
    [`filter FORWARD -p tcp --dport 8080 -j ${chain}`, `filter ${chain} -j DROP`],
  ).replace(':KUBE-FORWARD -', `:${chain} - [0:0]\n:KUBE-FORWARD -`)
  const files = {
    'n1/iptables-save': rules,
    'n2/iptables-save': rules,
    'objects.yaml': objects + ofCluster + policy,
  }
  const bytes = (text: string) => new TextEncoder().encode(text)
  return attachedSnapshot(
    readBundle(
      'case',
      Object.entries(files).map(([path, text]) => ({ path, bytes: bytes(text) })),
    ),
  )
}

const notEnforced = (snapshot: Snapshot) =>
  check(snapshot).findings.filter(({ code }) => code === 'policy-not-enforced')

const request = { from: 'caller', to: '10.96.0.20:80', protocol: 'tcp' } as const

t.test(
  'a ClusterNetworkPolicy of an attached cluster is the reason where the agent knows them',
  async (t) => {
    const snapshot = attached('cali-tw-web')
    t.same(snapshot.ignored, [])
    t.match(
      saysOf(whyRequest(snapshot, request)).join('\n'),
      /ClusterNetworkPolicy no-callers \(tier Admin, priority 3\) denies ingress/,
    )
    t.same(notEnforced(snapshot), [])
  },
)

t.test('it is not where the agent knows NetworkPolicies only, and check reports that', async (t) => {
  const snapshot = attached('KUBE-POD-FW-WEB')
  t.same(snapshot.ignored, ['1 ClusterNetworkPolicy'])
  t.match(
    saysOf(whyRequest(snapshot, request)).join('\n'),
    /^NetworkPolicy default\/closed isolates pod default\/web-1/,
  )
  t.match(notEnforced(snapshot), [{ note: true, says: /ClusterNetworkPolicies no-callers have no effect$/ }])
})

t.test('a change that the API server would reject is not proposed', async (t) => {
  // older versions of the API did not require the namespaceSelector
  const why = whyRequest(
    attached('cali-tw-web', clusterPolicy.replace('namespaceSelector: {}, ', '')),
    request,
  )
  t.match(why.findings, [{ code: 'denied-by-cluster-policy', changes: [] }])
})
