import t from 'tap'
import { languageOption } from '../../src/commands/options.js'
import { languages } from '../../src/text/language.js'
import { vethlab } from './cli.js'

const commands = [
  ['rules', 'nodeport', 'node-a'],
  ['explain'],
  ['trace', 'nodeport', 'client', 'http://{node-a}:30080/'],
  ['why', 'nodeport', 'client', 'http://{node-a}:30080/'],
  ['check', 'nodeport'],
  ['reach', 'nodeport'],
  ['run', 'nodeport'],
  ['workshop', 'list'],
]

t.test('an unknown language is rejected with the choices', async (t) => {
  for (const command of commands) {
    const { code, stdout, stderr } = vethlab([...command, '--lang', 'xx'])
    t.equal(code, 2, command.join(' '))
    t.equal(stdout, '')
    t.match(stderr, "option '--lang <language>' argument 'xx' is invalid. Allowed choices are en, ko.")
  }
})

t.test('every command with --lang offers all languages', async (t) => {
  t.same(languageOption('messages').argChoices, languages)
  for (const command of commands) {
    const { stdout } = vethlab([command[0] ?? '', '--help'])
    t.match(stdout, /--lang <language>[^]*"en",\s+"ko"/, command.join(' '))
  }
})

t.test('the output of iptables-save has no language', async (t) => {
  const { code, stderr } = vethlab(['rules', 'nodeport', 'node-a', '--raw', '--lang', 'ko'])
  t.equal(code, 2)
  t.match(stderr, "option '--raw' cannot be used with option '--lang <language>'")
})

t.test('JSON is in English, also in a Korean locale', async (t) => {
  const asked = ['no-endpoints', 'caller', 'http://{empty}/']
  for (const command of [
    ['why', ...asked],
    ['check', 'no-endpoints'],
    ['reach', 'no-endpoints'],
  ]) {
    const { stdout } = vethlab([...command, '--json'], { env: { LC_ALL: 'ko_KR.UTF-8' } })
    t.notMatch(stdout, /\p{Script=Hangul}/u, command.join(' '))
    t.equal(vethlab([...command, '--json', '--lang', 'ko']).code, 2, command.join(' '))
  }
})

t.test('what was assumed, and comparisons, are in the language of the answer', async (t) => {
  const bundle = 'test/golden/bundles/paste-selector'
  const request = [bundle, 'api-66c575b464-8hjj4', '10.96.153.225:80', '--lang', 'ko']
  for (const command of [
    ['why', ...request],
    ['trace', '--predict', ...request],
  ]) {
    const { stdout, stderr } = vethlab(command)
    t.match(stdout, /^참고: 엔드포인트슬라이스가 첨부되지 않아 /, stderr)
    t.notMatch(stdout, /^note: /m)
  }
  const { stdout } = vethlab(['reach', 'nodeport', '--plan', '--against-mode', 'nftables', '--lang', 'ko'])
  t.match(stdout, /^요청 \d+개 중 \d+개가 다르게 끝납니다:\n/)
})
