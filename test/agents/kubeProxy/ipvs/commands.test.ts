import { spawnSync } from 'node:child_process'
import t from 'tap'
import { commandScript, ipvsCommands } from '../../../../src/agents/kubeProxy/ipvs/commands.js'
import { buildIpvs } from '../../../../src/agents/kubeProxy/ipvs/state.js'
import { ipvsSysctls } from '../../../../src/agents/kubeProxy/sysctls.js'
import { ipvsCases } from './goldenIpvs.js'

const basic = ipvsCases().find(({ name }) => name === 'dual-stack')

t.test('the commands of one family, sets before the rules that match them', (t) => {
  if (basic === undefined) throw new Error('no such recording')
  const commands = ipvsCommands(buildIpvs(basic.input, 'IPv6'), ipvsSysctls(basic.input))
  t.same(
    commands.map(({ argv }) => argv[0]),
    ['sysctl', 'ip', 'ipset', 'ipvsadm', 'ip6tables-restore'],
  )
  t.equal(
    commands[1]?.input,
    'link add kube-ipvs0 type dummy\naddress add fd00:10:96::90/128 dev kube-ipvs0\n',
  )
  t.end()
})

t.test('the script is one for sh, and hands each program its input as it is', (t) => {
  if (basic === undefined) throw new Error('no such recording')
  const commands = ipvsCommands(buildIpvs(basic.input, 'IPv4'), {})
  const programs = commands.map(({ argv }) => `${argv[0]}() { printf '[%s]\\n' "$*"; cat; }`)
  const { stdout, stderr } = spawnSync('bash', ['-c', `${programs.join('\n')}\n${commandScript(commands)}`], {
    encoding: 'utf8',
  })
  t.equal(stderr, '')
  t.equal(
    stdout,
    commands
      .filter(({ input }) => input !== '')
      .map(({ argv, input }) => `[${argv.slice(1).join(' ')}]\n${input}`)
      .join(''),
    'a command without input is left out',
  )
  t.end()
})
