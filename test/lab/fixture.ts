import { defaultRanges } from '../../src/net/addressRanges.js'
import type { ModeName } from '../../src/agents/kubeProxy/config.js'
import { modeOf } from '../../src/agents/kubeProxy/modes.js'
import { namesOf } from '../../src/names/names.js'
import { evaluate } from '../../src/lab/steps/evaluate.js'
import { resolveLab } from '../../src/lab/names/resolveLab.js'
import type { ResolvedStep } from '../../src/lab/names/resolveStep.js'
import type { EchoReply, RequestResult } from '../../src/results/request.js'
import type { CheckContext, Lab, Step } from '../../src/lab/types.js'
import type { Observation } from '../../src/lab/observation.js'
import type { SocketAddress } from '../../src/net/socketAddress.js'
import type { Flow, Hop } from '../../src/packets/types.js'
import type { CheckResult, PodView, ServiceView, TopologyView } from '../../src/results/events.js'
import { parseSocket } from '../../src/net/socketText.js'

const web: ServiceView = {
  name: 'web',
  namespace: 'default',
  type: 'NodePort',
  clusterIPs: ['10.96.0.10', 'fd00:10:96::a'],
  externalIPs: ['192.0.2.7'],
  ports: [
    { name: 'http', protocol: 'TCP', port: 80, targetPort: 80, nodePort: 30080 },
    { name: 'admin', protocol: 'TCP', port: 9000, targetPort: 9000 },
  ],
  endpoints: ['10.244.1.2:80', '10.244.2.2:80', '10.244.1.2:9000', '10.244.2.2:9000'],
}

function pod(
  name: string,
  node: string,
  addresses: readonly string[],
  labels: Record<string, string>,
): PodView {
  return { name, namespace: 'default', node, addresses, labels }
}

/** The nodeport lab, dual stack: a pod on each node, a pod of another application, one on its node's network. */
export const topology: TopologyView = {
  fabric: ['172.18.0.0/16', 'fd00:18::/64'],
  nodes: [
    {
      name: 'node-a',
      addresses: ['172.18.0.2', 'fd00:18::2'],
      podCIDRs: ['10.244.1.0/24', 'fd00:244:0:1::/64'],
    },
    {
      name: 'node-b',
      addresses: ['172.18.0.3', 'fd00:18::3'],
      podCIDRs: ['10.244.2.0/24', 'fd00:244:0:2::/64'],
    },
  ],
  clients: [{ name: 'client', addresses: ['172.18.1.2', 'fd00:18::102'] }],
  pods: [
    pod('web-7f-b', 'node-b', ['10.244.2.2', 'fd00:244:0:2::2'], { app: 'web', tier: 'front' }),
    pod('web-7f-a', 'node-a', ['10.244.1.2', 'fd00:244:0:1::2'], { app: 'web' }),
    pod('db', 'node-a', ['10.244.1.3'], { app: 'db' }),
    pod('agent', 'node-b', ['172.18.0.3', 'fd00:18::3'], { app: 'agent' }),
    { ...pod('db', 'node-b', ['10.244.2.9'], { app: 'db' }), namespace: 'shop' },
  ],
  services: [
    web,
    {
      ...web,
      name: 'lone',
      clusterIPs: ['10.96.0.11'],
      externalIPs: [],
      endpoints: ['10.244.1.3:5432'],
      ports: [],
    },
    { ...web, name: 'headless', clusterIPs: ['None'], externalIPs: [], endpoints: [], ports: [] },
  ],
}

/** A lab with these steps, as loaded; positions count the path's length, which is enough to distinguish them. */
export function labWith(steps: readonly Partial<Step>[]): Lab {
  return {
    name: 'nodeport',
    directory: '/labs/nodeport',
    file: 'labs/nodeport/lab.yaml',
    title: 'NodePort',
    nodes: topology.nodes.map(({ name }) => ({ name, labels: {} })),
    clients: [{ name: 'client' }],
    families: ['IPv4', 'IPv6'],
    manifests: [],
    rules: {},
    ignore: new Set(),
    images: {},
    ranges: defaultRanges,
    network: { mode: 'routes', masquerade: true },
    kubeProxy: {},
    proxy: {},
    ingress: [],
    uncovered: [],
    at: (path) => ({ file: path.join('.'), line: 1, column: path.length }),
    steps: steps.map((step, index) => ({
      name: 'a step',
      action: { kind: 'curl', url: 'http://172.18.0.2:30080/', headers: {}, timeoutSeconds: 5 },
      repeat: 1,
      expect: { answered: true },
      path: ['steps', index],
      ...step,
    })),
  }
}

/** The one step, resolved. */
export function resolved(step: Partial<Step>): ResolvedStep {
  const [only] = resolveLab(labWith([step]), namesOf(topology))
  if (only === undefined) throw new Error('the step was lost')
  return only
}

/** What the checks of an expectation say of what was seen. */
export function checks(
  expect: Step['expect'],
  seen: Partial<Observation>,
  step: Partial<Step> = {},
  mode: ModeName = 'iptables',
): CheckResult[] {
  const ready = resolved({ repeat: seen.requests?.length ?? 1, ...step, expect })
  const observation: Observation = {
    from: 'client',
    requests: [answer()],
    flows: [],
    ruleCounts: new Map(),
    conntrack: new Map(),
    ...seen,
  }
  return evaluate(ready, observation, contextOf(ready, mode))
}

/** The context of a step's checks, as a run gives it. */
export function contextOf(step: ResolvedStep, mode: ModeName = 'iptables'): CheckContext {
  const names = namesOf(topology)
  return {
    topology,
    step,
    mode: modeOf(mode),
    addressesOf: (name) => {
      const lookup = names.lookup(name)
      return 'found' in lookup ? lookup.found[0].addresses : undefined
    },
    nameOf: (address) => names.at(address)?.label,
  }
}

/** An answer from an echo server: web-7f-b's, which saw node-a as its client by default. */
export function answer(echo: Partial<EchoReply> = {}, result: Partial<RequestResult> = {}): RequestResult {
  const reply = {
    pod: 'web-7f-b',
    namespace: 'default',
    node: 'node-b',
    server: '10.244.2.2:80',
    client: '172.18.0.2:41000',
    ...echo,
  }
  const body = `${JSON.stringify(reply)}\n`
  const http = { status: 200, version: '1.1', headers: {}, body }
  return {
    outcome: 'answered',
    exitCode: 0,
    stdout: body,
    stderr: '',
    durationMs: 2,
    http,
    echo: reply,
    ...result,
  }
}

/** A request that ended without an answer. */
export function failure(outcome: RequestResult['outcome'], exitCode = 7): RequestResult {
  return { outcome, exitCode, stdout: '', stderr: 'curl: (7) Failed to connect', durationMs: 2 }
}

/** An address and port from its text. */
export function socket(text: string): SocketAddress {
  const parsed = parseSocket(text)
  if (parsed === undefined) throw new Error(`not a socket: ${text}`)
  return parsed
}

/** Sightings from `netns:interface/direction source destination` lines. */
export function hopsOf(...lines: readonly string[]): Hop[] {
  return lines.map((line, index) => {
    const [where = '', source = '', destination = ''] = line.split(' ')
    const [netns = '', name = '', direction = ''] = where.split(/[:/]/)
    return {
      netns,
      interface: name,
      direction: direction === 'in' ? 'in' : 'out',
      at: index / 1000,
      source: socket(source),
      destination: socket(destination),
    }
  })
}

/** A client's request to node-a's node port that is served by the pod on node-b, as packets show it. */
export function crossNodeFlow(change: Partial<Flow> = {}): Flow {
  return {
    protocol: 'tcp',
    source: socket('172.18.1.2:40000'),
    destination: socket('172.18.0.2:30080'),
    hops: hopsOf(
      'client:eth0/out 172.18.1.2:40000 172.18.0.2:30080',
      'node-a:eth0/in 172.18.1.2:40000 172.18.0.2:30080',
      'node-a:eth0/out 172.18.0.2:41000 10.244.2.2:80',
      'node-b:eth0/in 172.18.0.2:41000 10.244.2.2:80',
      'node-b:cni0/out 172.18.0.2:41000 10.244.2.2:80',
      'web-7f-b:eth0/in 172.18.0.2:41000 10.244.2.2:80',
    ),
    replyHops: hopsOf(
      'web-7f-b:eth0/out 10.244.2.2:80 172.18.0.2:41000',
      'node-b:eth0/out 10.244.2.2:80 172.18.0.2:41000',
      'node-a:eth0/in 10.244.2.2:80 172.18.0.2:41000',
      'node-a:eth0/out 172.18.0.2:30080 172.18.1.2:40000',
      'client:eth0/in 172.18.0.2:30080 172.18.1.2:40000',
    ),
    nat: [
      { kind: 'DNAT', netns: 'node-a', from: socket('172.18.0.2:30080'), to: socket('10.244.2.2:80') },
      { kind: 'SNAT', netns: 'node-a', from: socket('172.18.1.2:40000'), to: socket('172.18.0.2:41000') },
    ],
    replyNat: [
      { kind: 'SNAT', netns: 'node-a', from: socket('10.244.2.2:80'), to: socket('172.18.0.2:30080') },
    ],
    outcome: 'answered',
    ...change,
  }
}

/** The same request served by the pod on node-a: its own bridge masquerades it. */
export function sameNodeFlow(): Flow {
  return {
    ...crossNodeFlow(),
    hops: hopsOf(
      'client:eth0/out 172.18.1.2:40001 172.18.0.2:30080',
      'node-a:eth0/in 172.18.1.2:40001 172.18.0.2:30080',
      'node-a:cni0/out 10.244.1.1:41001 10.244.1.2:80',
      'web-7f-a:eth0/in 10.244.1.1:41001 10.244.1.2:80',
    ),
    source: socket('172.18.1.2:40001'),
    replyHops: hopsOf('client:eth0/in 172.18.0.2:30080 172.18.1.2:40001'),
    nat: [
      { kind: 'DNAT', netns: 'node-a', from: socket('172.18.0.2:30080'), to: socket('10.244.1.2:80') },
      { kind: 'SNAT', netns: 'node-a', from: socket('172.18.1.2:40001'), to: socket('10.244.1.1:41001') },
    ],
    replyNat: [],
  }
}

/** A connection that a REJECT rule on node-a refused. */
export function refusedFlow(): Flow {
  return {
    ...crossNodeFlow(),
    hops: crossNodeFlow().hops.slice(0, 2),
    replyHops: [],
    nat: [],
    replyNat: [],
    outcome: 'refused',
  }
}
