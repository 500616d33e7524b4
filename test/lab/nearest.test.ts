import t from 'tap'
import { didYouMean, nearest } from '../../src/lab/nearest.js'

const known = ['expect', 'repeat', 'name', 'from', 'curl', 'nc']

t.test('the nearest word', async (t) => {
  const table: [string, string | undefined][] = [
    ['expct', 'expect'],
    ['Expect', 'expect'],
    ['xepect', 'expect'],
    ['fron', 'from'],
    ['cn', 'nc'],
    ['manifests', undefined],
    ['', undefined],
  ]
  for (const [word, meant] of table) t.equal(nearest(word, known), meant, word)
  t.equal(nearest('anything', []), undefined)
})

t.test('as a hint', async (t) => {
  t.equal(didYouMean('expct', known), 'did you mean "expect"?')
  t.equal(didYouMean('zzzzzz', known), undefined)
})
