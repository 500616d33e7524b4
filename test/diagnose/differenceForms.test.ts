import t from 'tap'
import { iptablesMode } from '../../src/agents/kubeProxy/iptables/mode.js'
import { differenceForms } from '../../src/diagnose/differenceForms.js'
import { parseSave } from '../../src/netfilter/save.js'
import { buildRuleset } from '../../src/agents/kubeProxy/iptables/ruleset.js'
import { toSaved } from '../../src/agents/kubeProxy/iptables/saved.js'
import { renderDifferences } from '../../src/netfilter/differenceText.js'
import { renderSave } from '../../src/netfilter/renderSave.js'
import { endpoint, input, service, slice } from '../agents/kubeProxy/objects.js'

const web = service(
  'web',
  {
    type: 'LoadBalancer',
    clusterIP: '172.30.0.41',
    externalTrafficPolicy: 'Local',
    loadBalancerSourceRanges: ['203.0.113.0/25'],
  },
  ['1.2.3.4'],
)
const slices = [slice('web', [endpoint('10.180.0.1', 'remote')])]

function savedBy(version: number): string {
  const made = input([web], slices, { version })
  return renderSave(toSaved(buildRuleset({ ...made, nfacct: false }, 'IPv4')))
}

function compared(text: string) {
  const node = { mode: iptablesMode, input: input([web], slices) }
  const found = { tables: parseSave(text) }
  const differences = iptablesMode.compare(node.input, 'IPv4', found)
  return renderDifferences(differences, differenceForms(differences, node, found, 'IPv4'))
}

t.test('rules of another version: each difference names it, and all together too', (t) => {
  const text = compared(savedBy(24))
  t.match(text, /missing +chain KUBE-PROXY-FIREWALL .*\n +a chain of kube-proxy 1\.25 to 1\.37\n/)
  t.match(text, /-A INPUT -j KUBE-FIREWALL\n +only kube-proxy 1\.27 to 1\.37 writes it\n/)
  t.match(text, /-A KUBE-FW-\w+ .*-j KUBE-MARK-DROP\n +as kube-proxy 1\.24 writes it\n/)
  t.match(text, /The rules of kube-proxy 1\.24 have 0 differences: choose it with --kube-proxy-version/)
  t.match(compared(savedBy(26)), /The rules of kube-proxy 1\.25 to 1\.26 have 0 differences/)
  t.end()
})

t.test('a rule that no version writes, and a chain of versions before 1.24', (t) => {
  const own = savedBy(36)
  const edited = own.replace(/^(-A KUBE-FORWARD -m conntrack --ctstate) INVALID/m, '$1 INVALID,NEW')
  t.notMatch(compared(edited), /kube-proxy 1\./)
  const old = own.replace(/^(:KUBE-SERVICES .*)$/m, '$1\n:KUBE-XLB-AAAAAAAAAAAAAAAA - [0:0]')
  t.match(compared(old), /KUBE-XLB-A+ .*\n +a chain of kube-proxy before 1\.24\n/)
  t.match(compared(own), /^No differences/)
  t.end()
})
