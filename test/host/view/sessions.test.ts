import t from 'tap'
import { createSessions, idleSessionMs, type KeptSession } from '../../../src/host/view/sessions.js'

t.test('sessions are kept by their hashes, and end when they are not used', async (t) => {
  let now = 1_000_000
  let kept: readonly KeptSession[] = []
  const open = () =>
    createSessions(() => now, { most: 2, keeper: { before: kept, keep: (sessions) => (kept = sessions) } })
  const first = open()
  const secret = first.redeem(first.invite('ada')) ?? ''
  t.equal(first.holder(secret), 'ada')
  t.match(kept, [{ who: 'ada', used: 1_000_000 }])
  t.notMatch(JSON.stringify(kept), secret)

  now += 120_000
  t.equal(open().holder(secret), 'ada', 'after a restart')
  t.match(kept, [{ who: 'ada', used: 1_000_000 }], 'a minute has not passed since the restart')
  t.equal(first.holder(secret), 'ada')
  t.match(kept, [{ who: 'ada', used: 1_120_000 }], 'the time of the last use is kept too')
  t.equal(open().holder('guess'), undefined)
  t.equal(open().holder(kept[0]?.hash ?? ''), undefined, 'a hash is no secret')

  now += idleSessionMs + 1
  t.equal(open().holder(secret), undefined, 'unused for too long')
  const again = open()
  for (const name of ['bob', 'eve', 'dan']) again.redeem(again.invite(name))
  t.strictSame(
    kept.map(({ who }) => who),
    ['eve', 'dan'],
    'the oldest ends',
  )
})

t.test('the sessions and invitations of one person end', async (t) => {
  let kept: readonly KeptSession[] = []
  const sessions = createSessions(Date.now, { keeper: { before: [], keep: (now) => (kept = now) } })
  const [ada = '', bob = ''] = ['ada', 'bob'].map((name) => sessions.redeem(sessions.invite(name)))
  const invitation = sessions.invite('ada')
  sessions.end('ada')
  t.equal(sessions.holder(ada), undefined)
  t.equal(sessions.redeem(invitation), undefined)
  t.equal(sessions.holder(bob), 'bob')
  t.match(kept, [{ who: 'bob' }])
})
