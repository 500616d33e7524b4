import t from 'tap'
import { createPhrasebook, phrasesOf } from '../../src/text/phrasebook.js'

t.test('slots stand for a word, for words, or for a phrase', async (t) => {
  const translate = createPhrasebook({
    'no route': '경로 없음',
    '{host} has no route to {address}': '{address}: {host}에 경로 없음',
    'the error is lost: {end!}': '오류 유실: {end!}',
    'rejected ({with*})': '거부({with*})',
  })
  t.equal(translate('no route'), '경로 없음')
  t.equal(translate('node-a has no route to 10.0.0.1'), '10.0.0.1: node-a에 경로 없음')
  t.equal(translate('rejected (icmp port)'), '거부(icmp port)')
  t.equal(translate('the error is lost: a has no route to b'), '오류 유실: b: a에 경로 없음')
  // never half of a sentence
  t.equal(translate('the error is lost: a fire'), undefined)
  t.equal(translate('node a has no route to b'), undefined)
  t.equal(translate('no route.'), undefined)
})

t.test('what a sentence quotes is never taken for a slot', async (t) => {
  const translate = createPhrasebook({ 'rule {rule*} drops': '{rule*} 버림' })
  t.equal(translate('rule a { $& b } drops'), 'a { $& b } 버림')
})

t.test('tables of one shape are phrases', async (t) => {
  const english = { one: 'one thing', group: { some: (count: number, of: string) => `${count} of ${of}` } }
  const korean: typeof english = { one: '하나', group: { some: (count, of) => `${of} 중 ${count}` } }
  const translate = createPhrasebook(phrasesOf(english, korean))
  t.equal(translate('one thing'), '하나')
  t.equal(translate('3 of all rules'), 'all rules 중 3')
})
