import fc from 'fast-check'
import t from 'tap'
import { splitRestore } from '../../src/netfilter/splitRestore.js'
import { renderFullRestore } from '../../src/proxy/iptables/restore.js'
import { buildRuleset } from '../../src/proxy/iptables/ruleset.js'
import { arbitraryInput } from '../proxy/arbitraryInput.js'

t.test('a table that is long becomes several commits', (t) => {
  t.equal(
    splitRestore('*nat\n:A - [0:0]\n-A A -j X\n-A A -j Y\nCOMMIT\n', 2),
    '*nat\n:A - [0:0]\n-A A -j X\nCOMMIT\n*nat\n-A A -j Y\nCOMMIT\n',
  )
  t.equal(
    splitRestore('*nat\n-A A\n-A B\nCOMMIT\n', 2),
    '*nat\n-A A\n-A B\nCOMMIT\n',
    'one that is not stays',
  )
  t.end()
})

t.test('no line is lost, and no commit has too many', (t) => {
  const bodyOf = (text: string) =>
    text.split('\n').filter((line) => !line.startsWith('*') && line !== 'COMMIT')
  fc.assert(
    fc.property(arbitraryInput, fc.integer({ min: 1, max: 20 }), (from, limit) => {
      const text = renderFullRestore(buildRuleset(from, 'IPv4'))
      const split = splitRestore(text, limit)
      const commits = split
        .split('COMMIT\n')
        .map((commit) => bodyOf(commit).filter((line) => line !== '').length)
      return bodyOf(split).join('\n') === bodyOf(text).join('\n') && commits.every((lines) => lines <= limit)
    }),
  )
  t.pass()
  t.end()
})
