import t, { type Test } from 'tap'
import { createColours } from '../../src/text/colour.js'
import { textWidth } from '../../src/text/textWidth.js'
import { predictionText } from '../../src/trace/text/predictionText.js'
import { tracedTo, type Asked } from './tracedTo.js'

const nodeport = { lab: 'nodeport', from: 'client', to: 'http://{node-a}:30080/' }

function linesOf(asked: Asked, path = 1, width = 100): string[] {
  const options = { colours: createColours(false), language: 'en', width, all: false, path } as const
  return predictionText(tracedTo(asked), {
    ...options,
    nameOf: () => undefined,
  }).split('\n')
}

/** Fails for the first expected line that does not come after those before it. */
function inOrder(t: Test, lines: readonly string[], expected: readonly string[]): void {
  let from = 0
  for (const line of expected) {
    const at = lines.indexOf(line, from)
    if (!t.ok(at >= 0, line, { lines })) return
    from = at + 1
  }
}

t.test('the path of a request to a node port, with what did not happen beside what did', async (t) => {
  inOrder(t, linesOf(nodeport, 2), [
    '━ node-a  in eth0  172.18.1.2:* → 172.18.0.2:30080',
    '   KUBE-SERVICES 1      ✗ -d 10.96.1.1/32 (destination is 172.18.0.2)',
    '   KUBE-SERVICES 2      ✔ --dst-type LOCAL → KUBE-NODEPORTS',
    '                          Service default/my-nodeport-service, spec.ports[0].nodePort: on the node’s',
    '   KUBE-MARK-MASQ 1     ✔ → mark 0x0 ⇒ 0x4000',
    '   KUBE-SVC-BD5W… 2     ✗ random 1/2 → KUBE-SEP-MY2E… (not chosen)',
    '   KUBE-SVC-BD5W… 3     ✔ → KUBE-SEP-JA2S…',
    '   KUBE-SEP-JA2S… 1     ✗ -s 10.244.2.2/32 (source is 172.18.1.2, not the endpoint itself)',
    '   KUBE-SEP-JA2S… 2     ✔ -p tcp → DNAT dst ⇒ 10.244.2.2:80',
    ' ROUTE 10.244.2.2: 10.244.2.0/24 via 172.18.0.3 dev eth0  (without DNAT: local 172.18.0.2)',
    '   KUBE-FORWARD 2       ✔ --mark 0x4000/0x4000 → ACCEPT',
    '   KUBE-POSTROUTING 3   ✔ → MASQUERADE src ⇒ 172.18.0.2:*',
    ' CONNTRACK + 172.18.1.2:* → 172.18.0.2:30080, reply 10.244.2.2:80 → 172.18.0.2:*',
    '━ node-b  in eth0  172.18.0.2:* → 10.244.2.2:80  mark 0x0 (a mark never leaves its host)',
    '◀ answer  no rule of nat is evaluated: conntrack reverses the rewrites',
    ' client                   172.18.0.2:30080 → 172.18.1.2:*  ✔ the address that it called',
    '✔ answered: pod default/my-app-7674bc66b5-7mltg answers',
    '  2   1/2      10.244.2.2:80 pod default/my-app-7674bc66b5-7mltg',
  ])
})

t.test('a cluster IP has another route without DNAT, and a pod keeps its address', async (t) => {
  const lines = linesOf({ lab: 'clusterip', from: 'caller', to: 'http://{shop}/' })
  inOrder(t, lines, [
    '   KUBE-SVC-PFIN… 1     ✗ ! -s 10.244.0.0/16 (source is 10.244.1.3)',
    ' ROUTE 10.244.1.4: 10.244.1.0/24 dev cni0  (without DNAT: default via 172.18.0.1 dev eth0)',
    '   KUBE-POSTROUTING 1   ✔ ! --mark 0x4000/0x4000 → RETURN',
  ])
  t.notOk(lines.some((line) => line.includes('a mark never leaves')))
})

t.test('rules of other Services that do not apply are left out', async (t) => {
  const lines = linesOf({
    lab: 'ports-and-protocols',
    from: 'client',
    to: '{node-a}:30053',
    protocol: 'udp',
  })
  t.equal(lines.filter((line) => /KUBE-NODEPORTS \d+ +✗/.test(line)).length, 1, 'its own rule for localhost')
})

t.test('paths to one pod are listed with the proxies on them', async (t) => {
  const lines = linesOf({
    lab: 'ingress-client-ip',
    from: 'client',
    to: 'http://{ingress-proxied-controller.external}/',
    host: 'web.example.com',
  })
  const listed = lines.filter((line) => /^ +[12] +1\/2 /.test(line))
  t.match(listed[0], /pod default\/web-\S+ {2}through 172\.18\.0\.2:30091$/)
  t.match(listed[1], /pod default\/web-\S+ {2}through 172\.18\.0\.3:30091$/)
})

t.test('lines fit into the terminal', async (t) => {
  for (const width of [100, 80])
    for (const line of linesOf(nodeport, 2, width)) t.ok(textWidth(line) <= width, line)
})
