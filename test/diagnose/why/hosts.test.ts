import t from 'tap'
import type { LinkEnd } from '../../../src/topology/network.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'
import { whyRequest } from '../../../src/diagnose/why/whyRequest.js'
import type { TraceState } from '../../../src/snapshot/model/state.js'
import { parseHostCommand } from '../../../src/trace/change/hostCommand.js'
import { fixesOf, saysOf } from './whyIn.js'

const nodePort = { from: 'client', to: 'http://{node-a}:30080/', protocol: 'tcp' } as const

function after(
  lab: string,
  commands: readonly string[],
  request: Parameters<typeof whyRequest>[1] = nodePort,
) {
  const parsed = commands.map((text) => parseHostCommand(text) ?? t.fail(text))
  return whyRequest(planSnapshot(lab, { after: parsed as never }), request)
}

/** The answer after a change of the state that no command of a prediction makes. */
function changed(
  lab: string,
  change: (state: TraceState) => TraceState,
  request: Parameters<typeof whyRequest>[1],
) {
  const snapshot = planSnapshot(lab)
  return whyRequest({ ...snapshot, state: change(snapshot.state) }, request)
}

t.test(
  'rules of kube-proxy that are gone: kube-proxy writes them again, and no other port is suggested',
  async (t) => {
    for (const [lab, from, to] of [
      ['nodeport', 'client', 'http://{node-a}:30080/'],
      ['clusterip', 'caller', 'http://{shop}/'],
    ] as const) {
      const why = after(lab, ['node-a iptables -t nat -F KUBE-SERVICES'], { from, to, protocol: 'tcp' })
      t.match(
        saysOf(why),
        [/^\d rules of kube-proxy or the CNI plugin are missing on node-a; .* nat KUBE-SERVICES/],
        lab,
      )
      t.strictSame(fixesOf(why), [`vethlab restart ${lab} kube-proxy/node-a`])
    }
  },
)

t.test('a rule that clears the mark of kube-proxy: it is removed, and kube-proxy is complete', async (t) => {
  const why = after('nodeport', ['node-a iptables -t mangle -A FORWARD -j MARK --set-xmark 0x0/0x4000'])
  t.strictSame(fixesOf(why), ['vethlab exec nodeport node-a -- iptables -t mangle -D FORWARD 1'])
  t.notMatch(saysOf(why).join('\n'), /missing on node-a/)
})

t.test('a port of a node that listens, and a rule that drops: nothing is said about listening', async (t) => {
  const health = { ...nodePort, to: 'http://{node-a}:10256/' }
  t.strictSame(saysOf(after('nodeport', ['node-a iptables -P INPUT DROP'], health)), [
    'no rule of filter INPUT accepts it, and the policy is DROP',
  ])
})

t.test(
  'an address of the lab that is not reached: the link is down, or the address is missing',
  async (t) => {
    const isOwn = (end: LinkEnd, netns: string | undefined, name: string) =>
      end.netns === netns && end.name === name
    const down =
      (netns?: string, name = 'eth0') =>
      (state: TraceState) => ({
        ...state,
        network: {
          ...state.network,
          links: state.network.links.map((link) => ({
            ...link,
            ...(isOwn(link, netns, name) ? { down: true as const } : {}),
            type:
              link.type.kind === 'veth' && isOwn(link.type.peer, netns, name)
                ? { ...link.type, peer: { ...link.type.peer, down: true as const } }
                : link.type,
          })),
        },
      })
    const node = changed('nodeport', down('node-b'), { ...nodePort, to: 'http://{node-b}:30080/' })
    t.match(saysOf(node), ['172.18.0.3 is the address of node-b, and eth0 of node-b is down'])
    t.strictSame(fixesOf(node), ['vethlab exec nodeport node-b -- ip link set dev eth0 up'])

    const own = changed('nodeport', down('node-b'), { ...nodePort, from: 'node-b' })
    t.match(own.findings[0]?.end.reason, 'eth0 of node-b, by which it sends packets for 172.18.0.2, is down')
    t.strictSame(saysOf(own), ['node-b sends packets for 172.18.0.2 by eth0, and eth0 of node-b is down'])
    t.strictSame(fixesOf(own), ['vethlab exec nodeport node-b -- ip link set dev eth0 up'])
    const forwards = changed('nodeport', down(undefined, 'to-node-b'), {
      ...nodePort,
      from: 'app=my-app@node-b',
    })
    t.strictSame(saysOf(forwards), [
      'node-b sends packets for 172.18.0.2 by eth0, and to-node-b of fabric is down',
    ])
    t.strictSame(fixesOf(forwards), ['vethlab node nodeport node-b up'])

    const address = '10.244.2.2'
    const holder = ({ network }: TraceState) =>
      network.devices.find(({ addresses }) => addresses.some((own) => own.address === address))?.netns
    const removed = (state: TraceState): TraceState => ({
      ...state,
      network: {
        ...state.network,
        devices: state.network.devices.map((device) => ({
          ...device,
          addresses: device.addresses.filter((own) => own.address !== address),
        })),
        routes: state.network.routes.filter(({ netns }) => netns !== holder(state)),
      },
    })
    const request = { from: 'app=web@node-a', to: `${address}:80`, protocol: 'tcp' } as const
    const pod = changed('pod-network', removed, request)
    t.match(saysOf(pod), [/ does not have its address 10\.244\.2\.2 on eth0$/])
    t.match(fixesOf(pod), [
      /ip address add 10\.244\.2\.2\/24 dev eth0 && ip route add default via 10\.244\.2\.1'$/,
    ])
    t.notMatch(saysOf(pod).join('\n'), /ip_forward|no pod, node or client/)
  },
)

t.test('an endpoint is ready, and the node has lost what announces the address', (t) => {
  const silent = (state: TraceState): TraceState => ({ ...state, announced: [] })
  const why = changed('loadbalancer', silent, { ...nodePort, to: 'http://{web.external}/' })
  t.match(saysOf(why), [/no node announces it$/])
  t.end()
})
