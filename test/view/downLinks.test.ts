import t from 'tap'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { plannedState } from '../../src/snapshot/fromPlan/plannedState.js'
import type { Link, LinkEnd, Network } from '../../src/topology/network.js'
import { readDownLinks } from '../../src/view/live/liveLinks.js'
import { downLinks } from '../../src/view/path/downLinks.js'

const prepared = prepareLab('labs/nodeport')
const { network } = plannedState(prepared)
const { nodes, clients, pods } = prepared.topology
const all = [...nodes, ...clients, ...pods]
const places = Object.fromEntries(all.map(({ netns, kind, name }) => [netns, { kind, name }]))
const [pod] = pods
if (pod === undefined) throw new Error('the lab has no pod')

/** The network with those ends of links down for which this holds. */
function withDown(isDown: (end: LinkEnd) => boolean): Network {
  const marked = <End extends LinkEnd>(end: End): End => (isDown(end) ? { ...end, down: true } : end)
  const links = network.links.map((link): Link => {
    const { type } = link
    return { ...marked(link), type: type.kind === 'veth' ? { ...type, peer: marked(type.peer) } : type }
  })
  return { ...network, links }
}

t.test('a link is down if either of its ends is, and only it', async (t) => {
  t.strictSame(downLinks(network, places), [])
  const isOf = (netns: string | undefined, name: RegExp) => (end: LinkEnd) =>
    end.netns === netns && name.test(end.name)
  t.strictSame(downLinks(withDown(isOf('node-b', /^eth0$/)), places), ['node-b'], 'on the node')
  t.strictSame(downLinks(withDown(isOf(undefined, /node-b/)), places), ['node-b'], 'on the fabric')
  t.strictSame(downLinks(withDown(isOf('client', /^eth0$/)), places), ['client'])
  t.strictSame(downLinks(withDown(isOf(pod.netns, /^eth0$/)), places), [pod.netns], 'in the pod')
  t.strictSame(
    downLinks(
      withDown(({ name }) => name === pod.veth),
      places,
    ),
    [pod.netns],
    'on its node',
  )
  const ofNode = pods.filter(({ node }) => node === 'node-a').map(({ netns }) => netns)
  t.strictSame(downLinks(withDown(isOf('node-a', /^cni0$/)), places), ofNode, 'the bridge of a node')
})

t.test('in a running lab, links without carrier are down, and what cannot be read is not', async (t) => {
  const up = all.map(({ kind, name, netns, hostname }) => {
    const own = pods.find((one) => one.netns === netns)
    return { kind, name, netns, hostname, interfaces: [], node: own?.node, veth: own?.veth }
  })
  const listed = (names: readonly string[]) =>
    JSON.stringify(names.map((ifname) => ({ ifname, flags: ['UP', 'NO-CARRIER'] })))
  const outputs: Readonly<Record<string, string>> = {
    '': listed(['to-node-b']),
    'node-a': listed([pod.veth]),
  }
  const sandbox = {
    run: (_: readonly string[], { netns = '' }: { netns?: string | undefined } = {}) => {
      const stdout = outputs[netns]
      const exitCode = stdout === undefined ? 1 : 0
      const rest = { signal: undefined, stderr: '', durationMs: 0, timedOut: false }
      return Promise.resolve({ ...rest, exitCode, stdout: stdout ?? '' })
    },
  }
  t.strictSame(await readDownLinks(sandbox, up), ['node-b', pod.netns])
})
