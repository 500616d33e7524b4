import t from 'tap'
import { calledBy } from '../../src/diagnose/calledBy.js'
import type { Action } from '../../src/results/request.js'

const action: Action = { kind: 'curl', url: 'http://shop/', headers: {}, timeoutSeconds: 1 }

t.test('a name is the address that was called', async (t) => {
  t.equal(calledBy(action, { remote: { address: '10.96.1.1', port: 80 } }).to, '10.96.1.1:80')
})

t.test(
  'without a reported address, a name that was found stays a name, and another one is not predicted',
  async (t) => {
    t.equal(calledBy(action, { connecting: true }).to, 'shop:80', 'refused: curl reports no address')
    t.throws(() => calledBy(action, {}), /the address of shop is not known/, 'the name was not found')
  },
)
