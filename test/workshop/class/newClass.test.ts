import t from 'tap'
import { tokenHash } from '../../../src/host/view/sessions.js'
import {
  linkHolder,
  newClass,
  trainer,
  withLink,
  withLinks,
  withoutLinks,
  withParticipants,
} from '../../../src/workshop/class/newClass.js'

const empty = newClass('A class', ['ada', 'bob'], undefined, 1)

t.test('a link is that of one person, and its token is not kept', async (t) => {
  const ada = withLink(empty, 'ada')
  const { record, token } = withLink(ada.record, trainer)
  t.equal(linkHolder(record, tokenHash(ada.token)), 'ada')
  t.equal(linkHolder(record, tokenHash(token)), trainer)
  t.equal(linkHolder(record, token), undefined, 'what is in the file is no token')
  t.equal(linkHolder(record, tokenHash('guess')), undefined)
  t.notOk(JSON.stringify(record).includes(token))
  t.notOk(JSON.stringify(record).includes(ada.token))
})

t.test('no link is valid after the end', async (t) => {
  const { record, token } = withLink(empty, 'bob')
  const boss = withLink(record, trainer)
  const ended = { ...boss.record, endedAt: 2 }
  t.equal(linkHolder(ended, tokenHash(token)), undefined)
  t.equal(linkHolder(ended, tokenHash(boss.token)), undefined)
})

t.test('a person has up to ten links, and the oldest ends', async (t) => {
  let record = withLink(empty, 'bob').record
  const tokens = Array.from({ length: 11 }, () => {
    const linked = withLink(record, 'ada')
    record = linked.record
    return linked.token
  })
  const holders = tokens.map((token) => linkHolder(record, tokenHash(token)))
  t.strictSame(holders, [undefined, ...Array<string>(10).fill('ada')])
  t.equal(record.participants[1]?.links.length, 1, 'those of others stay')
})

t.test('the exercises are a copy', async (t) => {
  const names = ['one', 'two']
  const record = newClass('A class', ['ada'], names, 1)
  names.pop()
  t.strictSame(record.exercises, ['one', 'two'])
  t.notOk('exercises' in empty)
})

t.test('links of a participant are withdrawn, and those of others stay', async (t) => {
  const { record, links } = withLinks(withParticipants(empty, ['eve']), ['ada', 'eve'])
  const [ada = '', eve = ''] = links.map(({ token }) => tokenHash(token))
  t.equal(linkHolder(record, eve), 'eve')
  const without = withoutLinks(record, 'ada')
  t.equal(linkHolder(without, ada), undefined)
  t.equal(linkHolder(without, eve), 'eve')
  t.strictSame(
    without.participants.map(({ name }) => name),
    ['ada', 'bob', 'eve'],
  )
})
