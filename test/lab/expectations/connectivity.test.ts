import t from 'tap'
import { InputError } from '../../../src/errors.js'
import type { ProbedCell } from '../../../src/lab/observation.js'
import { checks } from '../fixture.js'

const cells = {
  'app=db': { 'web:80': 'allowed', '10.244.2.2:53/udp': 'denied', 'agent:5432': 'denied' },
}
const answered: ProbedCell = { outcome: 'answered' }
const denied: ProbedCell = {
  outcome: 'refused',
  stoppedBy: 'rule',
  deniedBy: ['default/web'],
  reason: 'rejected',
}
const closed: ProbedCell = { outcome: 'refused', stoppedBy: 'other', deniedBy: [], reason: 'nothing listens' }
const lost: ProbedCell = { outcome: 'timeout', reason: 'predicted to pass' }

const cases: readonly (readonly [seen: readonly ProbedCell[], ok: boolean, observed: RegExp])[] = [
  [[answered, denied, denied], true, /^all as expected; denied by default\/web$/],
  [
    [denied, denied, denied],
    false,
    /^1 of 3 differ: app=db → web:80 is not allowed: refused, denied by default\/web$/,
  ],
  [[lost, denied, denied], false, /web:80 is not allowed: timeout, predicted to pass$/],
  [[answered, answered, denied], false, /10\.244\.2\.2:53\/udp is not denied: it is answered$/],
  // a port where nothing listens is refused too: no rule denies it
  [[answered, denied, closed], false, /app=db → agent:5432 is not denied: refused, nothing listens$/],
  [[], false, /^3 of 3 differ: .* it was not tried/],
]

t.test('connectivity: a table of connections', (t) => {
  for (const [connectivity, ok, observed] of cases) {
    const [check] = checks({ connectivity: cells }, { connectivity })
    t.equal(check?.ok, ok)
    t.match(check?.observed, observed)
    t.equal(check?.expected, '1 allowed, 2 denied')
  }
  const [check] = checks({ connectivity: cells }, { connectivity: [answered, answered, denied] })
  t.match(check?.look, /exec nodeport \S+ -- nc -v -u -w 5 10\.244\.2\.2 53$/)
  t.end()
})

t.test('callers and destinations have to exist, and destinations need a port', (t) => {
  const refused = (connectivity: object) => {
    try {
      checks({ connectivity }, {})
    } catch (error) {
      if (error instanceof InputError) return error.message
    }
    return 'accepted'
  }
  t.match(refused({ nobody: { 'web:80': 'allowed' } }), /nobody/)
  t.match(refused({ client: { 'wbe:80': 'allowed' } }), /wbe/)
  t.match(
    refused({ client: { web: 'allowed' } }),
    /"web" is not a destination .*; write a name or an address with a port/,
  )
  t.end()
})
