import t from 'tap'
import type { ExplainedRuleset } from '../../src/agents/kubeProxy/iptables/explained/types.js'
import { createColours } from '../../src/text/colour.js'
import { prettyRules } from '../../src/reporters/prettyRules.js'
import { textWidth } from '../../src/text/textWidth.js'

const svc = 'KUBE-SVC-AAAAAAAAAAAAAAAA'
const sep = 'KUBE-SEP-BBBBBBBBBBBBBBBB'
const ruleset: ExplainedRuleset = {
  family: 'IPv4',
  first: [
    {
      table: 'nat',
      chain: 'KUBE-SERVICES',
      about: 'by destination address',
      rules: [
        { state: 'extra', spec: '-d 10.96.0.9/32 -j ACCEPT', packets: 0, bytes: 0, why: 'not written' },
      ],
    },
  ],
  services: [
    {
      namespace: 'default',
      name: 'web',
      ports: [
        {
          name: 'default/web:http',
          port: '80/TCP',
          chains: [
            {
              table: 'nat',
              chain: 'KUBE-SERVICES',
              about: 'by destination address',
              rules: [
                {
                  state: 'expected',
                  spec: `-d 10.96.0.1/32 -p tcp -m comment --comment "default/web:http cluster IP" -m tcp --dport 80 -j ${svc}`,
                  packets: 12,
                  bytes: 720,
                  why: 'spec.clusterIP: sent to one of the endpoints',
                },
              ],
            },
            {
              table: 'nat',
              chain: sep,
              about: 'one endpoint',
              endpoint: '10.244.1.2:8080',
              rules: [
                { state: 'missing', spec: '-s 10.244.1.2/32 -j KUBE-MARK-MASQ', why: 'hairpin' },
                {
                  state: 'different',
                  spec: '-p tcp -m tcp -j DNAT --to-destination 10.244.1.2:81',
                  expected: '-p tcp -m tcp -j DNAT --to-destination 10.244.1.2:8080',
                  packets: 3,
                  bytes: 180,
                  why: 'sends it to the endpoint',
                },
              ],
            },
          ],
        },
      ],
    },
  ],
  last: [],
  others: [
    {
      table: 'nat',
      chain: 'POSTROUTING',
      about: 'outgoing packets, after routing',
      rules: [{ state: 'foreign', spec: '-j \x1b[31mMINE', packets: 1, bytes: 60, why: 'not kube-proxy’s' }],
    },
  ],
}
const print = (width: number, colour = false, shown = ruleset) =>
  prettyRules(shown, {
    language: 'en',
    colours: createColours(colour),
    width,
    podAt: (address) =>
      address === '10.244.1.2'
        ? { name: 'web-1', namespace: 'default', node: 'node-a', labels: {}, addresses: [address] }
        : undefined,
    serviceOf: (namespace, name) => ({
      name,
      namespace,
      type: 'ClusterIP',
      clusterIPs: ['10.96.0.1'],
      externalIPs: [],
      ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 }],
      endpoints: ['10.244.1.2:8080'],
    }),
    withoutRules: [{ namespace: 'default', name: 'headless', why: 'spec.clusterIP None' }],
  })

t.test('the text', (t) => {
  t.equal(
    print(80),
    `
── All packets, before the Service rules ───────────────────────────────────────
  nat KUBE-SERVICES  by destination address
  +        0 -d 10.96.0.9/32 -j ACCEPT
             not written

── Service default/web ─────────────────────────────────────────────────────────
  ClusterIP 10.96.0.1, port http 80/TCP, 1 endpoint
  nat KUBE-SERVICES  by destination address
          12 -d 10.96.0.1/32 -p tcp -m tcp --dport 80
               -j ${svc}
             spec.clusterIP: sent to one of the endpoints
  nat ${sep}  web-1 on node-a
  -  missing -s 10.244.1.2/32 -j KUBE-MARK-MASQ
             hairpin
  ~        3 -p tcp -m tcp -j DNAT --to-destination 10.244.1.2:81
             kube-proxy writes:
             -p tcp -m tcp -j DNAT --to-destination 10.244.1.2:8080
             sends it to the endpoint

── Service default/headless ────────────────────────────────────────────────────
  no rules: spec.clusterIP None

── Other rules: from a CNI plugin, or added by hand ────────────────────────────
  nat POSTROUTING  outgoing packets, after routing
           1 -j \\x1b[31mMINE

1 of 3 rules are as kube-proxy writes them, 1 differs, 1 is missing, 1 not written by kube-proxy
`,
  )
  t.end()
})

t.test('a Service without rules has its reason, and no summary', (t) => {
  const none: ExplainedRuleset = { family: 'IPv4', first: [], services: [], last: [], others: [] }
  const [, title, reason, ...rest] = print(40, false, none).split('\n')
  t.equal(title, '── Service default/headless ────────────')
  t.equal(reason, '  no rules: spec.clusterIP None')
  t.same(rest, [''])
  t.end()
})

t.test('no line is wider than the terminal, unless a single word is', (t) => {
  for (const width of [60, 80, 120]) {
    const wide = print(width).split('\n').slice(0, -2)
    t.same(
      wide.filter((line) => textWidth(line) > width),
      [],
      `${width} columns`,
    )
  }
  t.end()
})

t.test('colour changes only colour', (t) => {
  const plain = print(80, true).replace(/\x1b\[[0-9;]*m/g, '')
  t.not(print(80, true), print(80))
  t.equal(plain, print(80))
  t.end()
})
