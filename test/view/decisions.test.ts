import t from 'tap'
import { decisionsOf } from '../../src/view/path/decisions.js'
import { framesOfExchange } from '../../src/view/path/frames.js'
import { tracedTo, type Asked } from '../trace/tracedTo.js'

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

t.test('a refusal that reaches the caller is how the request fails, and no answer', async (t) => {
  t.equal(
    decisions({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:29999/' }).at(-1),
    'client: nothing listens on tcp port 29999 of node-a',
  )
})
