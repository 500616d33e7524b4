// `policyRules.js COUNT BACKEND`: what the agent of network policies computes for so many policies and pods on two nodes, in ms.
// BACKEND is `iptables` or `nftables`.
import type { AgentNode } from '../../../src/agents/agent.js'
import { policiesOnNode } from '../../../src/agents/networkPolicy/agent.js'
import { policyTransaction } from '../../../src/agents/networkPolicy/nftTable.js'
import { policyChanges } from '../../../src/agents/networkPolicy/restore.js'
import type { Cluster, NetworkPolicy, Pod } from '../../../src/cluster/types.js'

/** What was measured, in ms. */
export interface PolicyFigures {
  readonly all: number
  readonly onePolicy: readonly number[]
  readonly onePod: readonly number[]
}

const namespaces = 50
/** A pod is in one of the namespaces, with one of four applications; a policy is about one of these. */
const apps = 4
const runs = 7

const [, , given, backend] = process.argv
const count = Number(given)
const nativePolicies = backend === 'nftables'
const numbers = Array.from({ length: count }, (_, index) => index)
const pods = numbers.map((index) => podOf(index, `app-${Math.floor(index / namespaces) % apps}`))
const policies = numbers.map((index) => policyOf(index, 8080))
const cluster = {
  ...{ nodes: [], pods, networkPolicies: policies },
  namespaces: Array.from({ length: namespaces }, (_, index) => ({
    ...{ apiVersion: 'v1', kind: 'Namespace' },
    metadata: { name: `space-${index}`, labels: { team: `team-${index % 10}` } },
  })),
} as unknown as Cluster

const nodes = ['node-a', 'node-b'].map((name): AgentNode => ({
  ...{ name, podRanges: [], masquerade: true, enforcesPolicies: true, nativePolicies },
  clusterPodRange: { IPv4: '10.244.0.0/16', IPv6: 'fd00:244::/48' },
  serviceRange: { IPv4: '10.96.0.0/16', IPv6: 'fd00:10:96::/112' },
  nodePorts: { first: 30000, last: 32767 },
}))

const all = timed(() => write(undefined, cluster))
const changed = (change: (run: number) => Cluster) =>
  Array.from({ length: runs }, (_, run) => {
    const next = change(run)
    const took = timed(() => write(cluster, next))
    write(next, cluster)
    return took
  })
const onePolicy = changed((run) => ({
  ...cluster,
  networkPolicies: policies.map((one, index) => (index === run ? policyOf(index, 9090) : one)),
}))
const onePod = changed((run) => ({
  ...cluster,
  pods: pods.map((one, index) => (index === run ? podOf(index, 'app-new') : one)),
}))
const figures: PolicyFigures = { all, onePolicy, onePod }
process.stdout.write(JSON.stringify(figures))

/** The texts that change the nodes from one cluster to another. */
function write(before: Cluster | undefined, after: Cluster): void {
  const changes = nativePolicies ? policyTransaction : policyChanges
  for (const node of nodes)
    changes(before && policiesOnNode(before, node, 'IPv4'), policiesOnNode(after, node, 'IPv4'), 'IPv4')
}

function timed(act: () => void): number {
  const start = performance.now()
  act()
  return performance.now() - start
}

function podOf(index: number, app: string): Pod {
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: `pod-${index}`, namespace: `space-${index % namespaces}`, labels: { app } },
    spec: {
      nodeName: index % 2 === 0 ? 'node-a' : 'node-b',
      containers: [{ name: 'web', image: 'nginx', ports: [{ name: 'http', containerPort: 8080 }] }],
    },
    status: { podIPs: [{ ip: `10.244.${1 + Math.floor(index / 250)}.${2 + (index % 250)}` }] },
  } as unknown as Pod
}

/** Ingress from another application, and from the namespaces of a team; DNS and a block as egress. */
function policyOf(index: number, port: number): NetworkPolicy {
  const selector = (app: number) => ({ matchLabels: { app: `app-${app % apps}` } })
  return {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' },
    metadata: { name: `policy-${index}`, namespace: `space-${index % namespaces}` },
    spec: {
      podSelector: selector(index),
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [
            { podSelector: selector(index + 1) },
            {
              namespaceSelector: { matchLabels: { team: `team-${index % 10}` } },
              podSelector: selector(index),
            },
          ],
          ports: [{ protocol: 'TCP', port }],
        },
      ],
      egress: [
        { ports: [{ protocol: 'UDP', port: 53 }] },
        { to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] },
      ],
    },
  }
}
