import t from 'tap'
import { matchOf, targetName } from '../../../src/netfilter/rules/model.js'
import { parseRule } from '../../../src/netfilter/rules/parse.js'
import { canonicalRule, renderRule, uncommentedRule } from '../../../src/netfilter/rules/render.js'

t.test('options become fields', (t) => {
  for (const [text, rule] of [
    ['', { matches: [] }],
    [
      '! -s 10.244.0.0/16 -d 10.96.0.10/32 ! -i veth+ -p tcp -m tcp --dport 80 -j KUBE-MARK-MASQ',
      {
        source: { value: '10.244.0.0/16', negated: true },
        destination: { value: '10.96.0.10/32' },
        inInterface: { value: 'veth+', negated: true },
        protocol: { value: 'tcp' },
        matches: [{ kind: 'tcp', dport: { value: { first: 80, last: 80 } } }],
        target: { kind: 'jump', chain: 'KUBE-MARK-MASQ' },
      },
    ],
    [
      '-m comment --comment "it\\\'s \\"quoted\\" \\\\ back" -m mark ! --mark 0x4000/0x4000 -j RETURN',
      {
        matches: [
          { kind: 'comment', comment: 'it\'s "quoted" \\ back' },
          { kind: 'mark', mark: { value: { value: 0x4000, mask: 0x4000 }, negated: true } },
        ],
        target: { kind: 'RETURN' },
      },
    ],
    [
      '-m statistic --mode random --probability 0.33333333349 -m physdev ! --physdev-is-in -g PRE_public',
      {
        matches: [
          { kind: 'statistic', mode: 'random', probability: { value: 0.33333333349 } },
          { kind: 'physdev', physdevIsIn: false },
        ],
        target: { kind: 'goto', chain: 'PRE_public' },
      },
    ],
    [
      '-p tcp -m tcp --tcp-flags SYN,RST SYN -j DNAT --to-destination [fd00::1-fd00::5]:80-90/70 --random',
      {
        protocol: { value: 'tcp' },
        matches: [{ kind: 'tcp', tcpFlags: { value: { mask: ['SYN', 'RST'], set: ['SYN'] } } }],
        target: {
          kind: 'DNAT',
          toDestination: {
            addresses: { first: 'fd00::1', last: 'fd00::5' },
            ports: { first: 80, last: 90 },
            basePort: 70,
          },
          random: true,
        },
      },
    ],
  ] as const) {
    t.strictSame(parseRule(text), rule, text)
    t.equal(renderRule(parseRule(text)), text)
  }
  t.end()
})

t.test('what has no type is kept as text', (t) => {
  for (const [text, rule] of [
    [
      '-m time --timestart 10:00:00 -m tcp --dport 80 --new-option 5 -j TPROXY --on-port 80',
      {
        matches: [
          { kind: 'unknown', text: '-m time --timestart 10:00:00' },
          { kind: 'unknown', text: '-m tcp --dport 80 --new-option 5' },
        ],
        target: { kind: 'unknown', name: 'TPROXY', options: '--on-port 80' },
      },
    ],
    ['-m comment -j DROP', { matches: [{ kind: 'unknown', text: '-m comment' }], target: { kind: 'DROP' } }],
    [
      '-m length --length many -m set ! --return-nomatch',
      {
        matches: [
          { kind: 'unknown', text: '-m length --length many' },
          { kind: 'unknown', text: '-m set ! --return-nomatch' },
        ],
      },
    ],
    ['--dport 80', { matches: [{ kind: 'unknown', text: '--dport 80' }] }],
  ] as const) {
    t.strictSame(parseRule(text), rule, text)
    t.equal(renderRule(parseRule(text)), text)
  }
  t.end()
})

t.test('a different order and different spaces are kept', (t) => {
  const fed = '-m comment --comment web -m tcp -p tcp -d 10.96.0.10 --dport 80 -j KUBE-SVC-X'
  const rule = parseRule(fed)
  t.equal(rule.destination?.value, '10.96.0.10')
  t.same(matchOf(rule, 'tcp')?.dport?.value, { first: 80, last: 80 })
  t.equal(renderRule(rule), fed)
  t.equal(
    canonicalRule(rule),
    '-d 10.96.0.10 -p tcp -m comment --comment web -m tcp --dport 80 -j KUBE-SVC-X',
  )
  t.equal(uncommentedRule(rule), '-d 10.96.0.10 -p tcp -m tcp --dport 80 -j KUBE-SVC-X')
  const [one, two] = ['--nfacct-name ct', '--nfacct-name  ct'].map((text) => parseRule(`-m nfacct ${text}`))
  t.equal(one && canonicalRule(one), two && canonicalRule(two))
  t.not(one && renderRule(one), two && renderRule(two))
  t.end()
})

t.test('where a rule leads', (t) => {
  for (const [text, name] of [
    ['-j KUBE-SERVICES', 'KUBE-SERVICES'],
    ['-g PRE_public', 'PRE_public'],
    ['-j MARK --set-xmark 0x1/0x1', 'MARK'],
    ['-j TPROXY --on-port 80', 'TPROXY'],
    ['-m comment --comment "see -j DROP"', undefined],
  ] as const) {
    t.equal(targetName(parseRule(text)), name, text)
  }
  t.end()
})
