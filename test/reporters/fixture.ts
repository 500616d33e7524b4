import type { SocketAddress } from '../../src/net/socketAddress.js'
import type { Flow, Hop } from '../../src/packets/types.js'
import type { LabEvent, LabResult, StepResult, TopologyView } from '../../src/results/events.js'

const client: SocketAddress = { address: '172.18.1.2', port: 41822 }
const nodeA = '172.18.0.2'
const nodeB = '172.18.0.3'
export const podA = 'web-7c5ddbdf54-k2x9p'
export const podB = 'web-7c5ddbdf54-w4tq7'
const podOnA: SocketAddress = { address: '10.244.1.2', port: 80 }
const podOnB: SocketAddress = { address: '10.244.2.2', port: 80 }

export const topology: TopologyView = {
  fabric: ['172.18.0.0/16'],
  nodes: [
    { name: 'node-a', addresses: [nodeA], podCIDRs: ['10.244.1.0/24'] },
    { name: 'node-b', addresses: [nodeB], podCIDRs: ['10.244.2.0/24'] },
  ],
  clients: [{ name: 'client', addresses: ['172.18.1.2'] }],
  pods: [
    { name: podA, namespace: 'default', node: 'node-a', addresses: ['10.244.1.2'], labels: { app: 'web' } },
    { name: podB, namespace: 'default', node: 'node-b', addresses: ['10.244.2.2'], labels: { app: 'web' } },
  ],
  services: [
    {
      name: 'my-nodeport-service',
      namespace: 'default',
      type: 'NodePort',
      clusterIPs: ['10.96.27.14'],
      externalIPs: [],
      ports: [{ protocol: 'TCP', port: 80, targetPort: 80, nodePort: 30080 }],
      endpoints: ['10.244.1.2:80', '10.244.2.2:80'],
    },
  ],
}

type Sighting = readonly [netns: string, iface: string, direction: 'in' | 'out', rewritten?: Hop['rewritten']]

/** Hops of one packet with the same addresses, 0.1 ms apart. */
function seen(
  first: number,
  source: SocketAddress,
  destination: SocketAddress,
  sightings: readonly Sighting[],
): Hop[] {
  return sightings.map(([netns, iface, direction, rewritten], index) => ({
    netns,
    interface: iface,
    direction,
    at: (first + index) / 10_000,
    source,
    destination,
    ...(rewritten === undefined ? {} : { rewritten }),
  }))
}

/** From the client through node-a to the pod on node-b, with DNAT and SNAT on node-a. */
export function flowToOtherNode(port = 41822): Flow {
  const from = { ...client, port }
  const called = { address: nodeA, port: 30080 }
  const masqueraded = { address: nodeA, port: 23107 }
  return {
    protocol: 'tcp',
    source: from,
    destination: called,
    hops: [
      ...seen(0, from, called, [
        ['client', 'eth0', 'out'],
        ['node-a', 'eth0', 'in'],
      ]),
      ...seen(2, masqueraded, podOnB, [
        ['node-a', 'eth0', 'out', { source: from, destination: called }],
        ['node-b', 'eth0', 'in'],
        ['node-b', 'cni0', 'out'],
        ['node-b', 'veth5f0c21a9', 'out'],
        [podB, 'eth0', 'in'],
      ]),
    ],
    replyHops: [
      ...seen(7, podOnB, masqueraded, [
        [podB, 'eth0', 'out'],
        ['node-b', 'veth5f0c21a9', 'in'],
        ['node-b', 'cni0', 'in'],
        ['node-b', 'eth0', 'out'],
        ['node-a', 'eth0', 'in'],
      ]),
      ...seen(12, called, from, [
        ['node-a', 'eth0', 'out', { source: podOnB, destination: masqueraded }],
        ['client', 'eth0', 'in'],
      ]),
    ],
    nat: [
      { kind: 'DNAT', netns: 'node-a', from: called, to: podOnB },
      { kind: 'SNAT', netns: 'node-a', from, to: masqueraded },
    ],
    replyNat: [
      { kind: 'SNAT', netns: 'node-a', from: podOnB, to: called },
      { kind: 'DNAT', netns: 'node-a', from: masqueraded, to: from },
    ],
    outcome: 'answered',
  }
}

/** From the client through node-b to the pod on node-b itself. */
export function flowToSameNode(port = 41830): Flow {
  const from = { ...client, port }
  const called = { address: nodeB, port: 30080 }
  const masqueraded = { address: '10.244.2.1', port: 5120 }
  return {
    protocol: 'tcp',
    source: from,
    destination: called,
    hops: [
      ...seen(0, from, called, [
        ['client', 'eth0', 'out'],
        ['node-b', 'eth0', 'in'],
      ]),
      ...seen(2, masqueraded, podOnB, [
        ['node-b', 'cni0', 'out', { source: from, destination: called }],
        ['node-b', 'veth5f0c21a9', 'out'],
        [podB, 'eth0', 'in'],
      ]),
    ],
    replyHops: [
      ...seen(5, podOnB, masqueraded, [
        [podB, 'eth0', 'out'],
        ['node-b', 'veth5f0c21a9', 'in'],
        ['node-b', 'cni0', 'in'],
      ]),
      ...seen(8, called, from, [
        ['node-b', 'eth0', 'out', { source: podOnB, destination: masqueraded }],
        ['client', 'eth0', 'in'],
      ]),
    ],
    nat: [
      { kind: 'DNAT', netns: 'node-b', from: called, to: podOnB },
      { kind: 'SNAT', netns: 'node-b', from, to: masqueraded },
    ],
    replyNat: [
      { kind: 'SNAT', netns: 'node-b', from: podOnB, to: called },
      { kind: 'DNAT', netns: 'node-b', from: masqueraded, to: from },
    ],
    outcome: 'answered',
  }
}

/** From the client through node-a to the pod on node-a itself. */
export function flowWithinNodeA(port = 41838): Flow {
  const from = { ...client, port }
  const called = { address: nodeA, port: 30080 }
  const masqueraded = { address: '10.244.1.1', port: 60881 }
  return {
    protocol: 'tcp',
    source: from,
    destination: called,
    hops: [
      ...seen(0, from, called, [
        ['client', 'eth0', 'out'],
        ['node-a', 'eth0', 'in'],
      ]),
      ...seen(2, masqueraded, podOnA, [
        ['node-a', 'cni0', 'out', { source: from, destination: called }],
        ['node-a', 'veth9e4410b7', 'out'],
        [podA, 'eth0', 'in'],
      ]),
    ],
    replyHops: [
      ...seen(5, podOnA, masqueraded, [
        [podA, 'eth0', 'out'],
        ['node-a', 'veth9e4410b7', 'in'],
        ['node-a', 'cni0', 'in'],
      ]),
      ...seen(8, called, from, [
        ['node-a', 'eth0', 'out', { source: podOnA, destination: masqueraded }],
        ['client', 'eth0', 'in'],
      ]),
    ],
    nat: [
      { kind: 'DNAT', netns: 'node-a', from: called, to: podOnA },
      { kind: 'SNAT', netns: 'node-a', from, to: masqueraded },
    ],
    replyNat: [
      { kind: 'SNAT', netns: 'node-a', from: podOnA, to: called },
      { kind: 'DNAT', netns: 'node-a', from: masqueraded, to: from },
    ],
    outcome: 'answered',
  }
}

/** A node port that no Service uses: the node itself replies with a reset. */
export function flowRefused(): Flow {
  const from = { ...client, port: 41844 }
  const called = { address: nodeA, port: 30081 }
  return {
    protocol: 'tcp',
    source: from,
    destination: called,
    hops: seen(0, from, called, [
      ['client', 'eth0', 'out'],
      ['node-a', 'eth0', 'in'],
    ]),
    replyHops: seen(2, called, from, [
      ['node-a', 'eth0', 'out'],
      ['client', 'eth0', 'in'],
    ]),
    nat: [],
    replyNat: [],
    outcome: 'refused',
  }
}

/** As `flowToOtherNode`, but without the masquerade rule: the pod's reply bypasses node-a and the client drops it. */
export function flowWithoutSnat(): Flow {
  const whole = flowToOtherNode()
  const back = { address: '172.18.1.2', port: 41822 }
  return {
    ...whole,
    hops: whole.hops.map((hop, index) =>
      index < 2
        ? hop
        : {
            ...hop,
            source: client,
            ...(hop.rewritten ? { rewritten: { destination: whole.destination } } : {}),
          },
    ),
    replyHops: seen(7, podOnB, back, [
      [podB, 'eth0', 'out'],
      ['node-b', 'veth5f0c21a9', 'in'],
      ['node-b', 'cni0', 'in'],
      ['node-b', 'eth0', 'out'],
      ['client', 'eth0', 'in'],
    ]),
    nat: whole.nat.filter((fact) => fact.kind === 'DNAT'),
    replyNat: [],
    outcome: 'unanswered',
  }
}

function passing(name: string, observed: string): StepResult['checks'][number] {
  return { name, ok: true, expected: observed, observed, flow: 0 }
}

function step(
  name: string,
  action: string,
  durationMs: number,
  checks: StepResult['checks'],
  flows: readonly Flow[],
  flowCount = flows.length,
): StepResult {
  const ok = checks.every((check) => check.ok)
  return { name, action, from: 'client', ok, durationMs, checks, flows, flowCount }
}

const through = (node: string, address: string, flow: Flow) =>
  step(
    `A request to ${node}`,
    `curl http://${address}:30080/`,
    31.4,
    [
      passing('status 200', '200'),
      passing(
        `DNAT of ${node}:30080 to my-nodeport-service port 80 at ${node}`,
        `${address}:30080 → 10.244.2.2:80`,
      ),
      passing(`SNAT of client to ${node} at ${node}`, '172.18.1.2 → the node'),
      passing('the answer comes from the address it called', `${address}:30080`),
      passing(
        `chains on ${node}: hit KUBE-SERVICES, KUBE-NODEPORTS, KUBE-EXT-*, KUBE-MARK-MASQ, KUBE-SVC-*, KUBE-SEP-*`,
        `${node}: KUBE-SERVICES 1, KUBE-NODEPORTS 1`,
      ),
    ],
    [flow],
  )

const machine = {
  kernel: '6.8.0',
  iptables: 'iptables v1.8.10 (nf_tables)',
  backend: 'nft',
  rootless: false,
} as const

const share = step(
  'Both pods get a share',
  'curl http://172.18.0.2:30080/  200 times',
  402,
  [
    passing('each pod serves at least 20 %', `${podA} 94, ${podB} 106`),
    passing('all answered', '200 of 200'),
  ],
  [flowToOtherNode(50110), flowWithinNodeA(50112)],
  200,
)

const closed = step(
  'A port that no Service has stays closed',
  'curl http://172.18.0.2:30081/',
  4.2,
  [passing('refused', 'connection refused'), passing('no NAT', 'no rewrite')],
  [flowRefused()],
)

/** The result of the nodeport lab when all checks pass. */
export function passingResult(): LabResult {
  return {
    lab: 'nodeport',
    title: 'A NodePort Service',
    ok: true,
    durationMs: 843.21,
    machine,
    topology,
    steps: [
      through('node-a', nodeA, flowToOtherNode()),
      through('node-b', nodeB, flowToSameNode()),
      share,
      closed,
    ],
    notices: ['ConfigMap web-config has no bearing on the network'],
  }
}

/** The same lab with the masquerade rule of node-a removed. */
export function failingResult(): LabResult {
  const first = step(
    'A request to node-a',
    'curl http://172.18.0.2:30080/',
    2001.7,
    [
      {
        name: 'status 200',
        ok: false,
        expected: 'status 200',
        observed: 'no answer within 2 s',
        look: 'vethlab exec nodeport client -- curl -sv http://172.18.0.2:30080/',
        flow: 0,
      },
      passing('DNAT on node-a', '172.18.0.2:30080 → 10.244.2.2:80'),
      {
        name: 'SNAT on node-a',
        ok: false,
        expected: '172.18.1.2 becomes an address of node-a',
        observed: 'the source stays 172.18.1.2:41822',
        look: 'vethlab exec nodeport node-a -- iptables -t nat -vnL KUBE-POSTROUTING',
        flow: 0,
      },
    ],
    [flowWithoutSnat()],
  )
  return { ...passingResult(), ok: false, durationMs: 2950, steps: [first, closed], notices: [] }
}

/** A lab that did not start. */
export function brokenResult(): LabResult {
  return {
    lab: 'clusterip',
    title: 'A ClusterIP Service',
    ok: false,
    durationMs: 120,
    machine,
    topology: { fabric: [], nodes: [], clients: [], pods: [], services: [] },
    steps: [],
    notices: [],
    error: 'load rules: `iptables-restore` in netns node-a exited with 2\n    line 14 failed',
  }
}

export const summary =
  'A client outside the cluster calls a port of a node. The node hands the request to a pod, on whichever node the pod runs, and the answer comes back through the node that was called.'

/** The events of a run with this result. */
export function eventsOf(result: LabResult): LabEvent[] {
  const { lab } = result
  const up: LabEvent[] =
    result.topology.nodes.length === 0
      ? []
      : [{ type: 'lab-up', lab, topology: result.topology, durationMs: 310 }]
  return [
    { type: 'lab-start', lab, title: result.title, summary, steps: result.steps.length },
    ...result.notices.map((message) => ({ type: 'notice', lab, message }) as const),
    ...up,
    ...result.steps.flatMap((each, index): LabEvent[] => [
      { type: 'step-start', lab, step: each.name, index },
      { type: 'step-end', lab, index, result: each },
    ]),
    { type: 'lab-end', lab, result },
  ]
}
