import t from 'tap'
import { parseRule } from '../../../src/netfilter/rules/parse.js'
import { renderRule } from '../../../src/netfilter/rules/render.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'
import { predict } from '../../../src/trace/predict.js'
import { firstPacket } from '../../../src/trace/request.js'
import { loadRestore } from '../../../src/snapshot/rules/loadRestore.js'

interface Written {
  readonly chain: string
  readonly rules: readonly string[]
  /** What a prediction does not know of them. */
  readonly unknown?: readonly string[]
}

/** Rules in the forms that programs on nodes write, as iptables-save prints them. */
const programs: Readonly<Record<string, Written>> = {
  'AWS VPC CNI': {
    chain: 'nat POSTROUTING',
    rules: [
      '-i eni+ -m comment --comment "AWS, outbound connections" -j RETURN',
      '-m comment --comment "AWS, CONNMARK" -j CONNMARK --restore-mark --nfmask 0x80 --ctmask 0x80',
      '-j CONNMARK --set-xmark 0x80/0x80',
      '! -o vlan+ -m comment --comment "AWS, SNAT" -m addrtype ! --dst-type LOCAL -j SNAT --to-source 172.18.0.2 --random-fully',
    ],
  },
  Calico: {
    chain: 'filter FORWARD',
    rules: [
      '-i cali+ -m comment --comment "cali:abc_DEF-123" -m comment --comment "a second comment" -m mark --mark 0x10000/0x10000 -j ACCEPT',
      '-m rpfilter --validmark --invert -j DROP',
      '-m set --match-set cali40all-ipam-pools src -m set ! --match-set cali40masq-ipam-pools dst -j ACCEPT',
      '-p tcp -m multiport --dports 22,2379:2380 -j ACCEPT',
      '-m addrtype ! --src-type LOCAL --limit-iface-out -m addrtype --src-type LOCAL -j ACCEPT',
      '-j MARK --set-xmark 0x0/0xf0000',
      '-j NFLOG --nflog-prefix "DRP|default" --nflog-group 1 --nflog-size 80',
      '-g cali-wl-to-host',
    ],
  },
  Cilium: {
    chain: 'mangle PREROUTING',
    rules: [
      '-m socket --transparent -m comment --comment "proxied" -j MARK --set-xmark 0x200/0xffffffff',
      '-p tcp -m mark --mark 0xe9a40200 -j TPROXY --on-port 42217 --on-ip 127.0.0.1 --tproxy-mark 0x200/0xffffffff',
      '-m mark ! --mark 0xe00/0xf00 -m mark ! --mark 0xd00/0xf00 -j ACCEPT',
    ],
    unknown: ['-m socket --transparent', 'TPROXY'],
  },
  'service meshes': {
    chain: 'nat OUTPUT',
    rules: [
      '-p tcp -m tcp ! --dport 53 -m owner ! --uid-owner 1337 -j REDIRECT --to-ports 15001',
      '-m owner --gid-owner 1337 -j RETURN',
      '-p tcp -m mark ! --mark 0x539/0xfff -j REDIRECT --to-ports 15006',
    ],
  },
  'kube-router and kindnet': {
    chain: 'filter INPUT',
    rules: [
      '-m set --match-set KUBE-SRC-1 src -m set --match-set KUBE-DST-1 dst -j ACCEPT',
      '-m conntrack --ctstate NEW -j NFQUEUE --queue-num 101 --queue-bypass',
      '-m mark ! --mark 0x10000/0x10000 -m limit --limit 10/min --limit-burst 10 -j NFLOG --nflog-group 100',
      '-j REJECT --reject-with icmp-port-unreachable',
    ],
    unknown: ['NFQUEUE'],
  },
  'NodeLocal DNS': {
    chain: 'raw PREROUTING',
    rules: [
      '-d 169.254.20.10/32 -p udp -m udp --dport 53 -j CT --notrack',
      '-s 169.254.20.10/32 -p tcp -m tcp --sport 53 -j NOTRACK',
    ],
  },
  'ufw, firewalld and libvirt': {
    chain: 'filter INPUT',
    rules: [
      '-p icmp -m icmp --icmp-type 8 -j ACCEPT',
      '-m limit --limit 3/min --limit-burst 10 -j LOG --log-prefix "[UFW BLOCK] "',
      '-p tcp -m tcp --tcp-flags SYN,RST SYN -j TCPMSS --clamp-mss-to-pmtu',
      '-p udp -m udp --dport 68 -j CHECKSUM --checksum-fill',
      '-m hashlimit --hashlimit-upto 5/sec --hashlimit-burst 5 --hashlimit-mode srcip --hashlimit-name ssh -j ACCEPT',
      '-m policy --dir in --pol ipsec --reqid 1 --proto esp -j ACCEPT',
      '-m physdev --physdev-is-bridged -j ACCEPT',
      '-m pkttype --pkt-type broadcast -j DROP',
      '-j REJECT --reject-with icmp-host-prohibited',
    ],
    unknown: ['-m policy --dir in --pol ipsec --reqid 1 --proto esp', 'CHECKSUM'],
  },
  'extensions that are rare on nodes': {
    chain: 'filter INPUT',
    rules: [
      '-m string --string "GET /x" --algo bm --to 65535 -j DROP',
      '-m time --timestart 09:00:00 --timestop 17:00:00 --weekdays Mon,Fri -j ACCEPT',
      '-p tcp -m tcp --tcp-flags FIN,SYN,RST,ACK SYN -m connlimit --connlimit-above 20 --connlimit-mask 32 --connlimit-saddr -j DROP',
      '-m u32 --u32 "0x0>>0x16&0x3c@0x0>>0x18=0x0" -j ACCEPT',
      '-m mac --mac-source 00:11:22:33:44:55 -j ACCEPT',
      '-m made-up --made-up-option "two words" --other 1 -j MADEUP --level 7',
    ],
    unknown: [
      ...['-m string --string "GET /x" --algo bm --to 65535'],
      ...['-m time --timestart 09:00:00 --timestop 17:00:00 --weekdays Mon,Fri'],
      ...['-m made-up --made-up-option "two words" --other 1', 'MADEUP'],
    ],
  },
}

for (const [program, { chain, rules, unknown = [] }] of Object.entries(programs))
  t.test(`rules of ${program} are printed as they are read, and predictions do not fail`, async (t) => {
    const parsed = rules.map(parseRule)
    t.strictSame(parsed.map(renderRule), rules)
    const found = parsed.flatMap(({ matches, target }) => [
      ...matches.flatMap((match) => (match.kind === 'unknown' ? [match.text] : [])),
      ...(target?.kind === 'unknown' ? [target.name] : []),
    ])
    t.strictSame(found.sort(), [...unknown].sort())
    const [table, name] = chain.split(' ')
    const saved = `*${table}\n:${name} ACCEPT\n${rules.map((rule) => `-A ${name} ${rule}\n`).join('')}COMMIT\n`
    const state = planSnapshot('nodeport').state
    const changed = { ...state, rules: new Map([...state.rules, ['node-a', { IPv4: loadRestore(saved) }]]) }
    for (const from of ['client', 'node-a'])
      for (const request of [
        { protocol: 'tcp', port: 30080 },
        { protocol: 'udp', port: 53 },
      ] as const) {
        const packet = firstPacket(changed, { from, address: '172.18.0.2', ...request })
        t.ok(predict(changed, from, packet).paths.length > 0, `${request.protocol} from ${from}`)
      }
  })
