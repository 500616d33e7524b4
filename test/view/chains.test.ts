import t from 'tap'
import { chainsOf } from '../../src/trace/text/nextChain.js'
import { questionsAt } from '../../src/view/path/chains.js'
import { framesOfExchange } from '../../src/view/path/frames.js'
import { tracedTo } from '../trace/tracedTo.js'
import { flowOf } from './flowOf.js'

const [path] = tracedTo({ lab: 'labs/nodeport', from: 'client', to: 'http://{node-a}:30080/' }).paths
if (path === undefined) throw new Error('nothing is predicted')
const known = { path, paths: 2, seen: 10, differing: [], beyond: { hops: [], replyHops: [] }, passedOn: [] }
const frames = framesOfExchange(flowOf(path), known)
const nat = frames.findIndex(({ row, hook }) => row === 'nat' && hook === 'prerouting')
const chains = chainsOf(frames[nat]?.rules ?? []).map(({ chain }) => chain)

t.test('a chain to which the packet returns is another', async (t) => {
  const names = chains.map((chain) => chain.replace(/-[A-Z0-9]{16}$/, ''))
  t.strictSame(names.slice(0, 6), [
    'PREROUTING',
    'KUBE-SERVICES',
    'KUBE-NODEPORTS',
    'KUBE-EXT',
    'KUBE-MARK-MASQ',
    'KUBE-EXT',
  ])
})

t.test('each question has its answer among two to four options', async (t) => {
  const questions = questionsAt(frames, nat)
  t.ok(questions.length >= 4)
  for (const { after, options, answer } of questions) {
    t.ok(options.includes(answer), answer)
    t.equal(chains[after + 1]?.startsWith(answer.replace('…', '')), true)
    t.ok(options.length >= 2 && options.length <= 4)
    t.equal(new Set(options).size, options.length)
    t.strictSame(options, options.toSorted())
  }
})

t.test('after KUBE-SERVICES, the chain of the cluster IP is an option, and is wrong', async (t) => {
  const question = questionsAt(frames, nat).find(({ after }) => chains[after] === 'KUBE-SERVICES')
  t.equal(question?.answer, 'KUBE-NODEPORTS')
  t.ok(question?.options.some((option) => option.startsWith('KUBE-SVC-')))
})

t.test('nothing is asked where no rule is evaluated', async (t) => {
  for (const [moment, { kind }] of frames.entries())
    if (kind !== 'table') t.strictSame(questionsAt(frames, moment), [])
})
