import t from 'tap'
import { codeNames, codes } from '../../src/diagnose/codes/codes.js'
import { vethlab } from './cli.js'

t.test('explain lists every code, and explains one', async (t) => {
  const { code, stdout } = vethlab(['explain'])
  t.equal(code, 0)
  for (const name of codeNames) t.match(stdout, new RegExp(`^  ${name} +[A-Z]?.+$`, 'm'))
  const one = vethlab(['explain', 'targetport-unserved'])
  t.equal(one.code, 0)
  t.match(one.stdout.replace(/\s+/g, ' '), codes['targetport-unserved'].text.replaceAll('`', ''))
  t.match(one.stdout, /^targetport-unserved: Nothing listens on the targetPort\n[^]*\nSee it:\n {2}kubectl/)
  const document = JSON.parse(vethlab(['explain', 'mtu-too-small', '--json']).stdout) as object
  t.strictSame(Object.keys(document), ['mtu-too-small'])
})

t.test('a code that does not exist is invalid, with the nearest', async (t) => {
  const wrong = vethlab(['explain', 'targetport-unservd'])
  t.equal(wrong.code, 2)
  t.match(wrong.stderr, /there is no code "targetport-unservd"[^]*did you mean "targetport-unserved"\?/)
  t.match(vethlab(['explain', 'x']).stderr, /`vethlab explain` lists all codes/)
})
