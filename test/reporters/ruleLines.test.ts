import t from 'tap'
import { optionsOf } from '../../src/reporters/ruleLines.js'

t.test('a line may break before an option, not before its value, and not in a text', async (t) => {
  t.same(optionsOf('! -s 10.0.0.0/8 -p tcp -m comment --comment "a -j b" -m tcp --dport 80 -j DROP'), [
    '! -s 10.0.0.0/8',
    '-p tcp',
    '-m comment',
    '--comment "a -j b"',
    '-m tcp',
    '--dport 80',
    '-j DROP',
  ])
  t.same(optionsOf('-m nfacct --nfacct-name  counter'), ['-m nfacct', '--nfacct-name counter'])
})
