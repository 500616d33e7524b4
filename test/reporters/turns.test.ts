import t from 'tap'
import { createTurns } from '../../src/reporters/turns.js'

t.test('one lab is live, the others are buffered', async (t) => {
  const out: string[] = []
  const turns = createTurns((text) => out.push(text))
  turns.write('a', 'a1')
  turns.write('b', 'b1')
  turns.write('c', 'c1')
  turns.write('a', 'a2')
  t.same(out, ['a1', 'a2'])
  turns.write('c', () => 'c2')
  turns.finish('c')
  t.same(out, ['a1', 'a2'], 'a buffered lab stays buffered when it ends')
  turns.finish('a')
  t.same(
    out.slice(2),
    ['c1', 'c2', 'b1'],
    'then the ended lab is written, and the oldest of the others is live',
  )
  turns.write('b', 'b2')
  t.same(out.slice(5), ['b2'])
})

t.test('a function is called when its text is written', async (t) => {
  let number = 0
  const out: string[] = []
  const turns = createTurns((text) => out.push(text))
  turns.write('a', 'a')
  turns.write('b', () => `b is ${++number}`)
  turns.finish('b')
  turns.write('a', () => `a is ${++number}`)
  turns.finish('a')
  t.same(out, ['a', 'a is 1', 'b is 2'])
})

t.test('the end writes all remaining text', async (t) => {
  const out: string[] = []
  const turns = createTurns((text) => out.push(text))
  turns.write('a', 'a')
  turns.write('b', 'b')
  turns.end()
  t.same(out, ['a', 'b'])
})
