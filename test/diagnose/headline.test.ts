import t from 'tap'
import { comparedHeadline, headline, type AnswerInMode } from '../../src/diagnose/headline.js'
import { question } from '../../src/diagnose/question.js'
import { causesIn, whyRequest } from '../../src/diagnose/why/whyRequest.js'
import { whyText } from '../../src/diagnose/why/whyText.js'
import type { WrittenRequest } from '../../src/diagnose/writtenRequest.js'
import type { Snapshot } from '../../src/snapshot/model/snapshot.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { createColours } from '../../src/text/colour.js'
import type { ModeName } from '../../src/agents/kubeProxy/config.js'
import { predict } from '../../src/trace/predict.js'
import { parseHostCommand } from '../../src/trace/change/hostCommand.js'

interface Asked extends Pick<WrittenRequest, 'from' | 'to' | 'host'> {
  readonly lab: string
  readonly protocol?: WrittenRequest['protocol']
  readonly after?: readonly string[]
}

function answer({ lab, protocol = 'tcp', after = [], ...rest }: Asked) {
  const commands = after.map((text) => parseHostCommand(text) ?? t.fail(text))
  const snapshot = planSnapshot(lab, { after: commands as never })
  const written = { ...rest, protocol }
  const why = whyRequest(snapshot, written)
  const asked = question(snapshot, written)
  const text = whyText(why, asked, { colours: createColours(false), language: 'en', width: 1000 })
  return { why, text, ...headline(asked, why) }
}

const throughNodeA = { from: 'client', to: 'http://{node-a}:30080/' }

const sentences: readonly [Asked, string][] = [
  [
    { lab: 'nodeport', ...throughNodeA },
    '✔ client calls node-a (172.18.0.2:30080): rules on node-a send it to one of 2 pods, which answers',
  ],
  [
    { lab: 'after-hardening', ...throughNodeA },
    '✗ client calls node-a (172.18.0.2:30080), and gets no answer: on node-a, rule 1 of filter FORWARD drops it; the cause is on node-a',
  ],
  [
    { lab: 'every-other', ...throughNodeA },
    '✗ client calls node-a (172.18.0.2:30080): 1/2 of the connections get “unreachable”: fabric has no route to 10.244.2.2; the cause is on node-a',
  ],
  [
    { lab: 'nobody-home', ...throughNodeA },
    '✗ client calls node-a (172.18.0.2:30080), and gets “connection refused”: on node-a, rule 1 of filter KUBE-EXTERNAL-SERVICES rejects it (icmp-port-unreachable); the cause is in Service default/shop, spec.selector',
  ],
  [
    { lab: 'nodeport', from: 'client', to: 'http://{node-a}:30081/' },
    '✗ client calls node-a (172.18.0.2:30081), and gets “connection refused”: nothing listens on tcp port 30081 of node-a; the cause is the request',
  ],
  [
    {
      lab: 'usual-suspects',
      from: 'caller',
      to: 'http://{shop}/',
      after: ['node-b ip link set dev eth0 mtu 1400'],
    },
    '✗ caller calls Service default/shop (10.96.1.1:80), and passes as long as its packets are small: on node-b, eth0 takes packets of at most 1400 bytes (its MTU), and node-a sends packets of the tunnel of up to 1500: the link drops these without notice; the cause is on node-b',
  ],
]

for (const [asked, expected] of sentences)
  t.test(expected.slice(0, 100), async (t) => {
    const { mark, sentence, text } = answer(asked)
    t.equal(`${mark} ${sentence}`, expected)
    t.equal(text.split('\n')[0], expected, 'why begins with it')
  })

t.test('whether a program that is not one of vethlab answers a datagram is not known', async (t) => {
  const planned = planSnapshot('ports-and-protocols')
  const { listeners } = planned.state
  // as programs of pods are read while a lab runs
  const read = listeners.map(({ relay: _answers, ...listener }) => listener)
  const snapshot = { ...planned, state: { ...planned.state, listeners: read } }
  const written = { from: 'client', to: '{node-a}:30053', protocol: 'udp' } as const
  const sentenceIn = (language: 'en' | 'ko', of: Snapshot = snapshot) =>
    headline(question(of, written), whyRequest(of, written), language).sentence
  t.match(sentenceIn('en', planned), /, which answers$/)
  t.match(
    sentenceIn('en'),
    /^client calls node-a \(\S+\): rules on node-a send it to one of 2 pods, which gets it; whether it answers is not known$/,
  )
  t.match(
    sentenceIn('ko'),
    /^client → node-a \(\S+\): node-a의 규칙에 따라 파드 2개 중 하나에 전달됩니다\. 응답하는지는 알 수 없습니다$/,
  )
})

t.test('a rule is printed once, and an effect is not a cause', async (t) => {
  const { text } = answer({ lab: 'after-hardening', ...throughNodeA })
  t.equal(text.split('--ctstate NEW -j DROP').length, 2, text)
  const { text: sender } = answer({ lab: 'unexpected-sender', ...throughNodeA })
  t.match(sender, /^ {2}effect +node-a rewrites the destination/m)
  t.match(sender, /^ {2}cause +\S.* missing on node-a/m)
  t.match(sender, /^ {2}effect +node-a does not masquerade/m)
})

t.test('ends with one cause are printed with the cause once', async (t) => {
  const { text, why } = answer({
    lab: 'nodeport-localhost',
    from: 'node-a',
    to: 'http://127.0.0.1:30080/',
    after: ['node-a sysctl -w net.ipv4.conf.all.route_localnet=0'],
  })
  t.equal(why.findings.length, 2)
  t.equal(text.match(/^ {2}result +1\/2 /gm)?.length, 2, text)
  t.equal(text.match(/^ {2}cause /gm)?.length, 1, text)
})

t.test('without a fix, what was tried is printed', async (t) => {
  // two changes are tried together, three are not
  const after = [
    'node-a iptables -P FORWARD DROP',
    'node-a iptables -t mangle -P FORWARD DROP',
    'node-b iptables -P FORWARD DROP',
  ]
  const { text, why } = answer({ lab: 'usual-suspects', from: 'caller', to: 'http://{shop}/', after })
  t.strictSame(why.findings[0]?.changes, [])
  t.match(text, /^ {2}fix +No fix found; tried: the policy of mangle FORWARD on node-a is\s+ACCEPT$/m)
  const { text: none } = answer({ lab: 'no-endpoints', from: 'caller', to: 'http://{empty}/' })
  t.match(none, /^ {2}fix +No fix found: none is known for this cause$/m)
})

t.test('a proxy that returns a status of HTTP', async (t) => {
  const { sentence } = answer({
    ...{ lab: 'gateway', from: 'client', to: 'https://{edge-controller.external}/pay' },
    host: 'shop.example.com',
  })
  t.match(
    sentence,
    /^client calls Service edge\/edge-controller \(.*\) for shop\.example\.com, and gets status 500: nginx of pod edge\/\S+ returns 500: the route may not use payments\/till:80, or it does not exist \(ResolvedRefs\); the cause is in HTTPRoute \S+, spec\.rules\[\d\]\.backendRefs\[0\]\.\S+$/,
  )
})

t.test('a request in two modes of kube-proxy', async (t) => {
  const inMode = (lab: string, written: WrittenRequest, mode: ModeName): AnswerInMode => {
    const snapshot = planSnapshot(lab, { mode })
    return { mode, asked: question(snapshot, written), why: whyRequest(snapshot, written) }
  }
  const cases: readonly (readonly [
    lab: string,
    from: string,
    to: string,
    other: ModeName,
    sentence: string,
  ])[] = [
    [
      ...(['nodeport', 'client', 'http://{node-a}:30080/', 'nftables'] as const),
      '✔ client calls node-a (172.18.0.2:30080): rules on node-a send it to one of 2 pods, which answers; it ends in the same way in modes iptables and nftables',
    ],
    [
      ...(['nodeport', 'node-a', 'http://127.0.0.1:30080/', 'nftables'] as const),
      '✗ node-a calls 127.0.0.1:30080: in mode iptables rules on node-a send it to one of 2 pods, which answers; in mode nftables it gets “connection refused”: nothing listens on tcp port 30080 of node-a; the cause is the request',
    ],
    [
      ...(['after-hardening', 'client', 'http://{node-a}:30080/', 'ipvs'] as const),
      '✗ client calls node-a (172.18.0.2:30080): in mode iptables it gets no answer: on node-a, rule 1 of filter FORWARD drops it; the cause is on node-a; in mode ipvs rules on node-a send it to one of 2 pods, which answers',
    ],
  ]
  for (const [lab, from, to, other, expected] of cases) {
    const written = { from, to, protocol: 'tcp' } as const
    const both = comparedHeadline(inMode(lab, written, 'iptables'), inMode(lab, written, other))
    t.equal(`${both.mark} ${both.sentence}`, expected)
  }
})

t.test('rules of policies that let a request pass are not its cause, before changes are tried too', (t) => {
  const lab = t.testdir({
    'lab.yaml': 'title: x\nmanifests: [all.yaml]\n',
    'all.yaml': `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec: { nodeName: node-b, containers: [{ name: web, image: nginx, ports: [{ containerPort: 8080 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, targetPort: 8181, nodePort: 30081 }] }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: p }
spec: { podSelector: { matchLabels: { app: other } }, ingress: [] }
`,
  })
  const written = { from: 'client', to: 'http://{node-a}:30081/', protocol: 'tcp' } as const
  const asked = question(planSnapshot(lab, {}), written)
  const { snapshot, from, packet } = asked
  const why = causesIn(asked, predict(snapshot.state, from, packet))
  t.ok(why.findings[0]?.causes.some(({ isSuspect }) => isSuspect))
  t.match(
    headline(asked, why).sentence,
    /the cause is in Service default\/web, spec\.ports\[0\]\.targetPort$/,
  )
  t.end()
})
