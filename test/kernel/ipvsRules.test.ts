import { spawnSync } from 'node:child_process'
import t from 'tap'
import { canonicalLines } from '../netfilter/canonicalLines.js'
import { parseSave } from '../../src/netfilter/save.js'
import { ipsetLines } from '../../src/agents/kubeProxy/ipvs/ipset.js'
import { ipvsRestore } from '../../src/agents/kubeProxy/ipvs/restore.js'
import { buildIpvs } from '../../src/agents/kubeProxy/ipvs/state.js'
import { ipvsCases } from '../agents/kubeProxy/ipvs/goldenIpvs.js'

const args = [...(process.getuid?.() === 0 ? [] : ['--map-root-user']), '--net']

/** Runs a script in an empty network namespace; `$0` is what it reads on standard input for the rules. */
function inNamespace(script: string, input: string, ...more: string[]) {
  return spawnSync('unshare', [...args, 'sh', '-ec', script, 'sh', ...more], { input, encoding: 'utf8' })
}

const probe = inNamespace(
  'ipset create probe hash:ip,port,ip && iptables -A INPUT -m set --match-set probe dst,dst,src -j DROP',
  '',
)
const skip = probe.status === 0 ? false : `no ipset here: ${probe.stderr.trim().split('\n').at(-1) ?? ''}`
const noIpvs = inNamespace('iptables -A OUTPUT -m ipvs --vaddr 192.0.2.1 -j DROP', '').status !== 0

for (const family of ['IPv4', 'IPv6'] as const) {
  t.test(`${family}: sets and rules as loaded equal the recordings`, { skip }, (t) => {
    const program = family === 'IPv4' ? 'iptables' : 'ip6tables'
    let withIpvs = 0
    for (const { name, input, saved, ipset } of ipvsCases()) {
      const state = buildIpvs(input, family)
      const rules = ipvsRestore(state)
      if (noIpvs && rules.includes('-m ipvs')) {
        withIpvs++
        continue
      }
      const script = `ipset restore; printf %s "$2" | "$1-restore" --noflush --counters
        ipset save; echo ---; "$1-save" -t nat; "$1-save" -t filter`
      const { stdout, stderr } = inNamespace(script, `${ipsetLines(state).join('\n')}\n`, program, rules)
      const [sets = '', tables = ''] = stdout.split('---\n')
      t.equal(stderr, '', `${name}: loads`)
      t.same(canonicalLines(parseSave(tables)), canonicalLines(saved[family]), `${name}: rules`)
      const own = ipset.filter(
        (line) => (line.split(' ')[1] ?? '').startsWith('KUBE-6-') === (family === 'IPv6'),
      )
      const listed = sets
        .trim()
        .split('\n')
        .map((line) => line.replace(/ initval 0x[0-9a-f]+/, ''))
      t.same(listed.sort(), [...own].sort(), `${name}: sets`)
    }
    if (withIpvs > 0) t.comment(`${withIpvs} cases left out: this kernel has no xt_ipvs`)
    t.end()
  })
}
