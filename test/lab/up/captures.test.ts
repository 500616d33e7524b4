import t from 'tap'
import { findTool } from '../../../src/host/environment.js'
import { fakeSandbox } from '../../../src/host/sandbox/fake/fakeSandbox.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { capturesOnDemand } from '../../../src/lab/up/captures.js'

const skip = findTool('tcpdump') === undefined && 'missing here: tcpdump'

t.test('what two commands want to be captured is done one after the other', { skip }, async (t) => {
  const none = { nodes: [], clients: [], pods: [] }
  const topology = { ...prepareLab('nodeport').topology, ...none }
  const captures = capturesOnDemand({ sandbox: fakeSandbox(), whole: false, isProxy: () => false })
  const order: string[] = []
  const work = (name: string) =>
    captures.during(topology, async () => {
      order.push(`${name} begins`)
      await new Promise(setImmediate)
      order.push(`${name} ends`)
      if (name === 'first') throw new Error(name)
    })
  const [first, second] = await Promise.allSettled([work('first'), work('second')])
  t.match(first, { status: 'rejected', reason: { message: 'first' } })
  t.match(second, { status: 'fulfilled' })
  t.strictSame(order, ['first begins', 'first ends', 'second begins', 'second ends'])
})
