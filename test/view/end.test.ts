import t from 'tap'
import type { PredictedFlow } from '../../src/view/report/document.js'
import { endOf } from '../../src/view/path/end.js'
import { tracedTo } from '../trace/tracedTo.js'

/** A request to the address of a proxy, as a lab predicts it up to the proxy. */
function atProxy(): PredictedFlow {
  const [path] = tracedTo({
    ...{ lab: 'labs/ingress', from: 'client', to: 'http://{ingress-nginx-controller.external}/a/pings' },
    host: 'example.com',
  }).paths
  if (path === undefined) throw new Error('nothing is predicted')
  const end = { ...path.end, kind: 'untraceable', reason: 'a proxy decides where it goes' } as const
  return { path: { ...path, end }, paths: 1, seen: 0, ...unseen }
}

const unseen = { differing: [], beyond: { hops: [], replyHops: [] }, passedOn: [] }

t.test('an answered request behind a proxy that was not predicted ends with the answer', async (t) => {
  t.strictSame(endOf(atProxy(), { outcome: 'answered' }), {
    kind: 'answered',
    reason: 'client got the answer; not predicted: a proxy decides where it goes',
  })
})

t.test('without an answer it is not known how it ends', async (t) => {
  for (const outcome of ['unanswered', undefined] as const)
    t.match(endOf(atProxy(), { outcome }), { kind: 'untraceable' }, String(outcome))
})

t.test('an answer says nothing about a path that no packets were captured of', async (t) => {
  t.match(endOf({ ...atProxy(), basis: 'plan' }, { outcome: 'answered' }), { kind: 'untraceable' })
})

t.test('packets that were captured decide, not the prediction', async (t) => {
  const [path] = tracedTo({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' }).paths
  if (path === undefined) throw new Error('nothing is predicted')
  const known = { path, paths: 1, seen: 0, ...unseen }
  t.match(endOf(known, { outcome: 'unanswered' }), {
    kind: 'dropped',
    reason: /^client: unanswered; predicted: /,
  })
  t.match(endOf(known, { outcome: 'refused' }), { kind: 'refused' })
  t.equal(endOf(known, { outcome: 'answered' }), path.end)
  const end = { ...path.end, kind: 'dropped', reason: 'a rule drops it' } as const
  t.strictSame(endOf({ ...known, path: { ...path, end } }, { outcome: 'answered' }), {
    kind: 'answered',
    reason: 'client got the answer; predicted: a rule drops it',
  })
  const later = { ...end, later: true as const }
  t.equal(
    endOf({ ...known, path: { ...path, end: later } }, { outcome: 'answered' }),
    later,
    'the first packets were answered',
  )
})

t.test(
  'an error of HTTP is no success, nor is an answer in packets with which the caller has failed',
  async (t) => {
    const known = { ...atProxy(), basis: 'trace' as const }
    const end = { ...known.path.end, kind: 'answered' as const, reason: 'a pod answers' }
    const answered = { ...known, path: { ...known.path, end } }
    const failed = { outcome: 'failed', passed: false, error: 'curl: (35) wrong version number' }
    t.strictSame(endOf(answered, { outcome: 'answered', caller: failed }), {
      ...{ kind: 'refused', reason: 'client: failed: curl: (35) wrong version number' },
    })
    t.match(endOf(answered, { caller: { outcome: 'HTTP 200', passed: true } }), { kind: 'answered' })
    const notFound = { ...answered, path: { ...known.path, end: { ...end, http: { status: 404 } } } }
    t.match(endOf(notFound, undefined), { kind: 'refused', reason: 'a pod answers' })
  },
)

t.test('what is predicted to its end stays as predicted', async (t) => {
  const refused = {
    kind: 'refused',
    place: 'node-a',
    caller: 'connection refused',
    reason: 'nothing listens',
  } as const
  const known = atProxy()
  t.equal(endOf({ ...known, path: { ...known.path, end: refused } }, { outcome: 'answered' }), refused)
})
