import t from 'tap'
import { decisionsOf } from '../../src/view/path/decisions.js'
import { framesOfExchange } from '../../src/view/path/frames.js'
import { tracedTo, type Asked } from '../trace/tracedTo.js'
import { withRules } from '../trace/withRules.js'

/** `node-a: destination`, `client: received` for each decision of the first path. */
function decisions(asked: Asked): string[] {
  const [path] = tracedTo(asked).paths
  if (path === undefined) throw new Error('nothing is predicted')
  const none = { hops: [], replyHops: [] }
  const known = { path, paths: 1, seen: 0, differing: [], beyond: none, passedOn: [] }
  return decisionsOf(framesOfExchange(none, known), path.end).map(({ place, what }) => {
    const text = what.kind === 'rewrite' ? what.side : what.kind === 'failed' ? what.text : what.kind
    return `${place}: ${text}`
  })
}

t.test('rewrites, and who receives, both ways', async (t) => {
  t.match(decisions({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-b}:30080/' }), [
    ...['node-b: destination', 'node-b: source', /^my-app-.*: received$/],
    ...['node-b: destination', 'node-b: source', 'client: received'],
  ])
})

t.test('a rule that rejects is how the request fails, and the caller gets no answer', async (t) => {
  const rejects = withRules('node-a', ['filter -A FORWARD -p tcp -j REJECT --reject-with tcp-reset'])
  const found = decisions({ lab: 'nodeport', from: 'client', to: 'http://{node-a}:30080/', change: rejects })
  t.strictSame(found, ['node-a: destination', 'node-a: rule 1 of filter FORWARD rejects it (tcp-reset)'])
})

t.test('a packet of a tunnel and an error about the request decide nothing', async (t) => {
  const vxlan = { lab: 'labs/pod-network-vxlan', from: 'node-a' }
  t.match(decisions({ ...vxlan, to: 'http://10.244.2.2/' }), [/^web-\S+: received$/, 'node-a: received'])
  t.match(decisions({ ...vxlan, to: '10.244.2.2:5454', protocol: 'udp' }), [
    /^web-\S+: nothing listens on udp port 5454/,
  ])
})

t.test('a refusal that reaches the caller is how the request fails, and no answer', async (t) => {
  t.equal(
    decisions({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:29999/' }).at(-1),
    'client: nothing listens on tcp port 29999 of node-a',
  )
})
