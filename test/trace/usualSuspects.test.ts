import { readFileSync } from 'node:fs'
import t from 'tap'
import { InputError } from '../../src/errors.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { whyRequest } from '../../src/diagnose/why/whyRequest.js'
import type { WrittenRequest } from '../../src/diagnose/writtenRequest.js'
import { parseHostCommand } from '../../src/trace/change/hostCommand.js'
import { loadRestore } from '../../src/snapshot/rules/loadRestore.js'

const shop = { from: 'caller', to: 'http://{shop}/', protocol: 'tcp' } as const
const nodePort = { from: 'client', to: 'http://{node-a}:30080/', protocol: 'tcp' } as const
const resolver = { from: 'caller', to: '{shop}:53', protocol: 'udp', sourcePort: 4000 } as const

interface Suspect {
  readonly after: readonly string[]
  readonly request: WrittenRequest
  readonly outcome?: 'fails' | 'small'
  readonly says: RegExp
  readonly fix?: RegExp
}

/** Settings of other programs, the sentence that names them, and the command that lets the request pass. */
const suspects: Readonly<Record<string, Suspect>> = {
  'the policy of FORWARD': {
    after: ['node-a iptables -P FORWARD DROP'],
    request: shop,
    says: /no rule of filter FORWARD accepts it, and the policy is DROP/,
    fix: /node-a -- iptables -P FORWARD ACCEPT$/,
  },
  ip_forward: {
    after: ['node-a sysctl -w net.ipv4.ip_forward=0'],
    request: shop,
    says: /net\.ipv4\.ip_forward of node-a is 0/,
    fix: /sysctl -w net\.ipv4\.ip_forward=1$/,
  },
  'rp_filter with asymmetric routing': {
    after: ['node-a ip route add 172.18.1.2 dev vpn0', 'node-a sysctl -w net.ipv4.conf.all.rp_filter=1'],
    request: nodePort,
    says: /172\.18\.1\.2 arrives on eth0, but has its route by vpn0 \(rp_filter is 1\)/,
  },
  'policy routing': {
    after: [
      'node-a ip rule add from 10.244.1.0/24 lookup 100 priority 1000',
      'node-a ip route add default dev vpn0 table 100',
    ],
    request: shop,
    says: /policy routing on node-a \(1000: from 10\.244\.1\.0\/24 lookup 100\)/,
    fix: /ip rule del priority 1000$/,
  },
  'a NAT rule before KUBE-SERVICES': {
    after: ['node-a iptables -t nat -I PREROUTING 1 -p tcp --dport 80 -j REDIRECT --to-ports 3128'],
    request: shop,
    says: /rule 1 of nat PREROUTING on node-a, written neither by kube-proxy nor by the CNI plugin/,
    fix: /iptables -t nat -D PREROUTING 1$/,
  },
  'masquerade before KUBE-POSTROUTING': {
    after: [
      'node-b iptables -I FORWARD 1 -d 10.244.2.2 -m conntrack --ctstate NEW ! -s 10.244.1.2 -j DROP',
      'node-a iptables -t nat -I POSTROUTING 1 -s 10.244.1.0/24 -j MASQUERADE',
    ],
    request: shop,
    says: /rule 1 of nat POSTROUTING on node-a, .*MASQUERADE/,
    fix: /iptables -t nat -D POSTROUTING 1$/,
  },
  'the mark 0x4000': {
    after: [
      'node-b iptables -I FORWARD 1 -d 10.244.2.2 -m conntrack --ctstate NEW ! -s 10.244.1.2 -j DROP',
      'node-a iptables -t mangle -A PREROUTING -i cni0 -j MARK --set-xmark 0x4000/0x4000',
    ],
    request: shop,
    says: /rule 1 of mangle PREROUTING on node-a, .*MARK/,
    fix: /iptables -t mangle -D PREROUTING 1$/,
  },
  'an MTU': {
    after: ['node-b ip link set dev eth0 mtu 1400'],
    request: shop,
    outcome: 'small',
    says: /eth0 takes packets of at most 1400 bytes .* tunnel of up to 1500/,
    fix: /node-a -- ip link set dev flannel\.1 mtu 1350$/,
  },
  'an old conntrack entry': {
    after: [
      'node-a conntrack -I -p udp -t 600 -s 10.244.1.2 -d 10.96.1.1 --sport 4000 --dport 53 --dst-nat 10.244.2.77:53',
    ],
    request: resolver,
    says: /conntrack of node-a has an entry from earlier packets, 10\.244\.1\.2:4000 → .*10\.244\.2\.77:53/,
    fix: /conntrack -D -p udp --orig-src 10\.244\.1\.2 --orig-port-src 4000$/,
  },
}

function whyAfter({ after, request }: Suspect) {
  const commands = after.map((text) => parseHostCommand(text) ?? t.fail(text))
  const lab = planSnapshot('usual-suspects', { after: commands as never })
  return whyRequest(lab, request)
}

for (const [name, suspect] of Object.entries(suspects))
  t.test(`why names ${name}`, async (t) => {
    t.equal(whyAfter({ ...suspect, after: [] }).outcome, 'passes', 'the request passes without it')
    const { outcome, findings } = whyAfter(suspect)
    t.equal(outcome, suspect.outcome ?? 'fails')
    const sentences = findings.flatMap(({ end, causes }) => [end.reason, ...causes.map(({ says }) => says)])
    t.ok(
      sentences.some((one) => suspect.says.test(one)),
      sentences.join('\n'),
    )
    const fixes = findings.flatMap(({ changes }) => changes.map(({ proposal }) => proposal.command ?? ''))
    const { fix } = suspect
    t.ok(fix === undefined || fixes.some((one) => fix.test(one)), fixes.join('\n'))
  })

t.test('another source port, address or interface is not affected', async (t) => {
  const passes = (key: string, request: WrittenRequest, after = suspects[key]?.after ?? []) =>
    t.equal(whyAfter({ after, request, says: / / }).outcome, 'passes', key)
  passes('an old conntrack entry', { ...resolver, sourcePort: 4001 })
  passes('policy routing', nodePort)
  passes('rp_filter with asymmetric routing', shop)
  passes('an MTU', shop, ['node-b ip link set dev eth0 mtu 1496'])
  passes('policy routing', shop, [
    'node-a ip rule add from 10.244.1.0/24 iif eth0 lookup 100 priority 1000',
    'node-a ip route add default dev vpn0 table 100',
  ])
  passes('policy routing', shop, [
    'node-a ip rule add fwmark 0x10/0x10 lookup 100 priority 1000',
    'node-a ip route add default dev vpn0 table 100',
  ])
})

t.test('commands that a prediction does not know are errors', async (t) => {
  for (const command of [
    'node-a ip link set dev eth0 down',
    'node-a ip rule add from all unreachable',
    'node-a conntrack -F',
  ])
    t.throws(() => whyAfter({ after: [command], request: shop, says: / / }), InputError, command)
})

t.test('the rules of Docker, ufw and firewalld are read completely', async (t) => {
  const state = planSnapshot('usual-suspects').state
  t.ok(state.rules.has('node-a'))
  for (const program of ['docker', 'ufw', 'firewalld']) {
    const text = readFileSync(`labs/usual-suspects/rules/${program}.rules`, 'utf8')
    const rules = [...loadRestore(text).values()].flatMap((chains) =>
      [...chains.values()].flatMap((chain) => chain.rules),
    )
    t.equal(rules.length, text.match(/^-A /gm)?.length, program)
    t.strictSame(
      rules.flatMap(({ rule }) => rule.matches.filter(({ kind }) => kind === 'unknown')),
      [],
      program,
    )
  }
})
