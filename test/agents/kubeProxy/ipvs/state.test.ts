import t from 'tap'
import { canonicalLines } from '../../../netfilter/canonicalLines.js'
import { ipsetLines, listedEntry } from '../../../../src/agents/kubeProxy/ipvs/ipset.js'
import { ipvsadmLines } from '../../../../src/agents/kubeProxy/ipvs/ipvsadm.js'
import { ipvsSaved } from '../../../../src/agents/kubeProxy/ipvs/saved.js'
import { buildIpvs } from '../../../../src/agents/kubeProxy/ipvs/state.js'
import { ipvsSysctls } from '../../../../src/agents/kubeProxy/sysctls.js'
import { ipvsCases } from './goldenIpvs.js'

const cases = ipvsCases()

// Of the sysctls recorded kube-proxy leaves these as they are, unless strictARP asks for the last two.
const untouched = {
  'net.ipv4.vs.conn_reuse_mode': '1',
  'net.ipv4.conf.all.arp_ignore': '0',
  'net.ipv4.conf.all.arp_announce': '0',
  'net.ipv4.conf.all.route_localnet': '0',
}

t.equal(cases.length, 50, 'every recording is there')

for (const { name, input, saved, ipvsadm, ipset, device, sysctls } of cases) {
  t.test(name, (t) => {
    const states = (['IPv4', 'IPv6'] as const).map((family) => buildIpvs(input, family))
    t.same(
      states.flatMap(({ virtualServers }) => ipvsadmLines(virtualServers)).sort(),
      [...ipvsadm].sort(),
      'virtual servers and real servers',
    )
    t.same(
      states.flatMap(ipsetLines).map(listed).sort(),
      ipset.map((line) => line.replace(/ bucketsize 12$/, '')).sort(),
      'ipsets',
    )
    const bound = states.flatMap(({ family, addresses }) =>
      addresses.map((one) => (family === 'IPv4' ? `inet ${one}/32` : `inet6 ${one}/128`)),
    )
    t.same(bound.sort(), [...device].sort(), 'addresses of kube-ipvs0')
    const set = Object.entries(ipvsSysctls(input)).map(([sysctl, value]) => [sysctl, String(value)])
    t.match({ ...untouched, ...Object.fromEntries(set) }, sysctls, 'sysctls')
    for (const state of states)
      t.same(
        canonicalLines(ipvsSaved(state)),
        canonicalLines(saved[state.family]),
        `rules of ${state.family}`,
      )
    t.end()
  })
}

function listed(line: string): string {
  const [command = '', set = '', entry = ''] = line.split(' ')
  return command === 'add' ? `${command} ${set} ${listedEntry(entry)}` : line
}
