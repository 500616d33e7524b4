import t from 'tap'
import { reflow } from '../../src/text/reflow.js'

t.test('paragraphs fit the columns, and commands are not changed', async (t) => {
  const text = 'one two three\nfour five\n\n  a command that is  longer\n\nsix'
  t.equal(reflow(text, 9), 'one two\nthree\nfour five\n\n  a command that is  longer\n\nsix')
  t.equal(reflow(text, 100), 'one two three four five\n\n  a command that is  longer\n\nsix')
  t.equal(reflow('a verylongword b', 5), 'a\nverylongword\nb', 'a word is never broken')
  t.equal(
    reflow('파드가 준비되지 않았습니다', 10),
    '파드가\n준비되지\n않았습니다',
    'Korean letters take two columns',
  )
})

t.test('a command is never broken, so that it can be copied', async (t) => {
  const text = 'See it:\n  vethlab kubectl shop get services -o wide\nthen compare the\ntwo nodes'
  t.equal(
    reflow(text, 12),
    'See it:\n  vethlab kubectl shop get services -o wide\nthen compare\nthe two\nnodes',
  )
  t.equal(reflow('run `ip route get X`, then stop', 10), 'run\n`ip route get X`,\nthen stop', 'in backticks')
  t.equal(reflow('one ` two three', 10), 'one ` two\nthree', 'a single backtick is a character')
})
