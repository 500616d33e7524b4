import t from 'tap'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import type { PredictOptions } from '../../src/lab/plan/planSnapshot.js'
import type { WrittenRequest } from '../../src/diagnose/writtenRequest.js'
import { whyDocument } from '../../src/diagnose/why/whyDocument.js'
import { whyRequest } from '../../src/diagnose/why/whyRequest.js'
import { question } from '../../src/diagnose/question.js'
import { whyText } from '../../src/diagnose/why/whyText.js'
import { createColours } from '../../src/text/colour.js'
import { parseHostCommand } from '../../src/trace/change/hostCommand.js'
import { firstPacket } from '../../src/trace/request.js'
import { tracedRequest } from '../../src/diagnose/tracedRequest.js'

interface Asked extends Partial<WrittenRequest> {
  readonly lab: string
  readonly from: string
  readonly to: string
  readonly options?: PredictOptions
}

function why({ lab, from, to, options, protocol = 'tcp', ...rest }: Asked) {
  return whyRequest(planSnapshot(lab, options), { from, to, protocol, ...rest })
}

/** The commands or requests of all changes, in order. */
function fixes(asked: Asked): string[] {
  return why(asked).findings.flatMap(({ changes }) =>
    changes.map(({ proposal }) =>
      proposal.kind === 'request' ? `call ${proposal.to}` : (proposal.command ?? ''),
    ),
  )
}

const throughNodeA = { from: 'client', to: 'http://{node-a}:30080/' }

t.test('a node port on a loopback address that has no rules', async (t) => {
  const off = { lab: 'nodeport-localhost-off', from: 'node-a', to: 'http://127.0.0.1:30080/' }
  t.match(why(off).findings[0]?.causes, [
    { says: /^30080 is the node port of Service .*leave out 127\.0\.0\.1$/ },
  ])
  t.strictSame(fixes(off), ['call http://172.18.0.2:30080/'])
  const six = { lab: 'nodeport-localhost', from: 'node-a', to: 'http://[::1]:30080/' }
  t.strictSame(fixes(six), ['call http://[fd00:18::2]:30080/'])
  t.equal(why({ ...off, lab: 'nodeport-localhost' }).outcome, 'passes', 'with rules for it')
})

t.test('one setting of route_localnet lets packets leave by every interface', async (t) => {
  const after = [parseHostCommand('node-a sysctl -w net.ipv4.conf.all.route_localnet=0')]
  const asked = { lab: 'nodeport-localhost', from: 'node-a', to: 'http://127.0.0.1:30080/' }
  const found = fixes({ ...asked, options: { after } as never })
  t.strictSame(
    [...new Set(found)],
    ['vethlab exec nodeport-localhost node-a -- sysctl -w net.ipv4.conf.all.route_localnet=1'],
  )
})

t.test('a cluster IP that a client outside the cluster calls', async (t) => {
  const asked = { lab: 'nodeport', from: 'client', to: 'http://{my-nodeport-service}/' }
  const [finding] = why(asked).findings
  t.match(finding?.causes, [
    {
      says: /^10\.96\.1\.1 is the cluster IP of Service default\/my-nodeport-service.*client is outside/,
      object: { kind: 'Service', field: 'spec.clusterIP' },
    },
  ])
  t.strictSame(fixes(asked), [
    'call http://172.18.0.2:30080/',
    'vethlab exec nodeport client -- ip route add 10.96.1.1 via 172.18.0.2',
  ])
  t.strictSame(
    fixes({ lab: 'clusterip', from: 'client', to: 'http://{shop}/' }),
    ['vethlab exec clusterip client -- ip route add 10.96.1.1 via 172.18.0.2'],
    'a Service without a node port',
  )
})

t.test('exercises: the reason, the object behind it, and a fix that passes', async (t) => {
  const expected: Readonly<Record<string, { asked: Omit<Asked, 'lab'>; field?: string; fix: RegExp }>> = {
    'nobody-home': { asked: throughNodeA, field: 'spec.selector', fix: /service\/shop -p '.*"app":"shop"/ },
    'waiting-room': {
      asked: throughNodeA,
      field: 'spec.containers[0].readinessProbe.httpGet.port',
      fix: /deployment\/shop .*\/containers\/0\/readinessProbe\/httpGet\/port","value":80\}/,
    },
    'one-node-only': {
      asked: throughNodeA,
      field: 'spec.externalTrafficPolicy',
      fix: /kubectl one-node-only label node\/node-a serves=shop/,
    },
    'turned-away': {
      asked: { from: 'branch', to: 'http://192.0.2.1/' },
      field: 'spec.loadBalancerSourceRanges',
      fix: /198\.51\.100\.20\/32/,
    },
    'wrong-door': { asked: throughNodeA, field: 'spec.ports[0].targetPort', fix: /"targetPort":80,/ },
    'after-hardening': { asked: throughNodeA, fix: /node-a -- iptables -D FORWARD 1$/ },
    'every-other': {
      asked: throughNodeA,
      fix: /node-a -- ip route add 10\.244\.2\.0\/24 via 172\.18\.0\.3$/,
    },
    island: {
      asked: { from: 'caller', to: 'http://10.244.2.2/' },
      fix: /node-b -- sysctl -w net\.ipv4\.ip_forward=1$/,
    },
    neighbours: {
      asked: { from: 'caller', to: 'http://10.96.0.80/' },
      fix: /node-a -- sysctl -w net\.bridge\.bridge-nf-call-iptables=1$/,
    },
    'old-address': { asked: throughNodeA, fix: /-t nat -D KUBE-SVC-PFINMTQ5Y2TT4XZK 1$/ },
    'unexpected-sender': { asked: throughNodeA, fix: /restart unexpected-sender kube-proxy\/node-a$/ },
    'way-back': {
      asked: { from: 'caller', to: 'http://10.244.2.2/' },
      fix: /node-a -- sysctl -w net\.ipv4\.conf\.all\.rp_filter=2$/,
    },
  }
  for (const [lab, { asked, field, fix }] of Object.entries(expected)) {
    const found = why({ lab, ...asked })
    t.not(found.outcome, 'passes', lab)
    const [first] = found.findings
    if (field !== undefined) t.equal(first?.causes.find(({ object }) => object)?.object?.field, field, lab)
    const { causes } = loadExercise(`labs/exercises/${lab}`)
    t.ok(
      first?.causes.some(({ code }) => causes.includes(code)),
      `${lab}: a cause that the exercise names`,
    )
    const [change] = first?.changes ?? []
    t.match(change?.proposal.command, fix, lab)
    t.equal(change?.share, 1, `${lab}: the request passes after it`)
  }
})

t.test('faults whose effect is not predicted are reported', async (t) => {
  t.match(planSnapshot('silent-datagrams').notices, [/with the faults of its exercise/, /keep UDP entries/])
})

t.test('a request that passes: the pods and the rewrites', async (t) => {
  const found = why({ lab: 'nodeport', ...throughNodeA })
  const asked = question(planSnapshot('nodeport'), { ...throughNodeA, protocol: 'tcp' })
  t.match(found, { outcome: 'passes', share: 1, findings: [] })
  t.match(
    whyText(found, asked, { colours: createColours(false), language: 'en', width: 100 }),
    /^✔ client calls node-a \(172\.18\.0\.2:30080\): rules on node-a send it to one of 2 pods, which answers\n {2}1\/2 {2}pod default\/my-app-.*\n {4}node-a: destination ⇒ 10\.244\.1\.2:80\n/,
  )
})

t.test('other programs: the owner by its chains, and the policy of a chain', async (t) => {
  const after = (...commands: string[]) =>
    commands.map((text) => parseHostCommand(text)).filter((command) => command !== undefined)
  const docker = why({
    lab: 'pod-network',
    from: 'app=web@node-a',
    to: '{app=web@node-b}:80',
    options: { after: after('node-a iptables -N DOCKER-USER', 'node-a iptables -P FORWARD DROP') },
  })
  t.match(docker.findings[0], {
    rule: { place: 'node-a', chain: 'FORWARD', number: undefined, owner: 'Docker' },
    changes: [{ proposal: { command: /iptables -P FORWARD ACCEPT$/ }, share: 1 }],
  })
  const ufw = why({
    lab: 'nodeport',
    ...throughNodeA,
    options: {
      after: after(
        'node-a iptables -N ufw-user-forward',
        'node-a iptables -A ufw-user-forward -p tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable',
        'node-a iptables -I FORWARD -j ufw-user-forward',
      ),
    },
  })
  t.match(ufw.findings[0]?.rule, { owner: 'ufw', chain: 'ufw-user-forward', number: 1 })
  t.match(ufw.findings[0]?.changes[0]?.proposal.command, /iptables -D ufw-user-forward 1$/)
})

t.test('near misses of the request', async (t) => {
  const shop = { lab: 'clusterip', from: 'caller' }
  t.match(fixes({ ...throughNodeA, lab: 'nodeport', to: 'http://{node-a}:30081/' }), [
    'call http://172.18.0.2:30080/',
    /"nodePort":30081/,
  ])
  t.match(fixes({ ...throughNodeA, lab: 'nodeport', to: '{node-a}:80' }), ['call 172.18.0.2:30080'])
  t.match(fixes({ ...shop, to: '{shop}:81' }), ['call 10.96.1.1:80'])
  t.match(fixes({ ...shop, to: '10.96.1.77:80' }), ['call 10.96.1.1:80'])
  const ping = why({ ...shop, to: '{shop}', protocol: 'icmp' })
  t.match(ping.findings[0]?.causes[0]?.says, /the rules of kube-proxy are for its ports only \(80\/TCP\)/)
  const datagram = why({ ...throughNodeA, lab: 'nodeport', to: '{node-a}:30080', protocol: 'udp' })
  t.match(datagram.findings[0]?.causes[0]?.says, /node port of Service .* for TCP, and the request uses UDP/)
})

t.test('a condition that the plan does not decide', async (t) => {
  const rule = 'node-a iptables -I FORWARD -m time --timestart 10:00:00 -j DROP'
  const command = parseHostCommand(rule)
  const found = why({ lab: 'nodeport', ...throughNodeA, options: { after: command ? [command] : [] } })
  t.equal(found.outcome, 'unknown')
  t.match(found.findings[0], {
    assumptions: [{ question: /--timestart 10:00:00/, taken: 'applies' }],
    changes: [{ share: 1 }],
  })
})

t.test('a rule that is left out is found missing', async (t) => {
  const without = [{ node: 'node-a', chain: 'KUBE-POSTROUTING', number: 3 }]
  const found = why({ lab: 'nodeport', ...throughNodeA, options: { without } })
  t.match(found, { outcome: 'sometimes', share: 0.5 })
  t.match(found.findings[0]?.changes[0]?.proposal.command, /restart nodeport kube-proxy\/node-a$/)
})

t.test('JSON has a version, and what text prints', async (t) => {
  const lab = planSnapshot('nobody-home')
  const written = { ...throughNodeA, protocol: 'tcp' } as const
  const state = lab.state
  const request = tracedRequest(lab.model, written)
  const packet = firstPacket(state, request)
  const document = whyDocument('nobody-home', 'client', packet, [], whyRequest(lab, written))
  t.match(JSON.parse(JSON.stringify(document)), {
    ...{ version: 1, lab: 'nobody-home', from: 'client', outcome: 'fails', share: 0 },
    findings: [
      {
        end: { kind: 'rejected' },
        rule: { owner: 'kube-proxy' },
        causes: [{ object: { kind: 'Service', field: 'spec.selector' } }],
        changes: [{ kind: 'object', share: 1, command: /vethlab kubectl nobody-home patch/ }],
      },
    ],
  })
})
