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

t.test('explain --lang ko explains in Korean; its commands are the same', async (t) => {
  const one = vethlab(['explain', 'targetport-unserved', '--lang', 'ko'])
  t.equal(one.code, 0)
  t.match(
    one.stdout,
    /^targetport-unserved: targetPort에서 .*\n[^]*\n확인하는 명령:\n {2}kubectl[^]*\n해결: /,
  )
  for (const command of codes['targetport-unserved'].look) t.match(one.stdout, `\n  ${command}\n`)
  const all = vethlab(['explain'], { env: { LC_ALL: 'ko_KR.UTF-8' } })
  t.match(all.stdout, /^서비스와 엔드포인트\n {2}selector-matches-nothing +서비스의 /)
  const { 'mtu-too-small': document } = JSON.parse(
    vethlab(['explain', 'mtu-too-small', '--json'], { env: { LC_ALL: 'ko_KR.UTF-8' } }).stdout,
  ) as Record<string, unknown>
  t.strictSame(document, codes['mtu-too-small'], 'programs read the same in each environment')
})

t.test('a code that does not exist is invalid, with the nearest', async (t) => {
  const wrong = vethlab(['explain', 'targetport-unservd'])
  t.equal(wrong.code, 2)
  t.match(wrong.stderr, /there is no code "targetport-unservd"[^]*did you mean "targetport-unserved"\?/)
  t.match(vethlab(['explain', 'x']).stderr, /`vethlab explain` lists all codes/)
})
