import { readdirSync } from 'node:fs'
import t from 'tap'
import { check } from '../../src/diagnose/check/check.js'
import { readAttachedSnapshot } from '../../src/inspect/attached.js'
import { inLanguage } from '../../src/diagnose/inLanguage.js'
import { reach } from '../../src/diagnose/reach/reach.js'
import { proposalText } from '../../src/diagnose/why/proposalText.js'
import type { Finding } from '../../src/diagnose/why/types.js'
import { whyRequest } from '../../src/diagnose/why/whyRequest.js'
import type { WrittenRequest } from '../../src/diagnose/writtenRequest.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { parseHostCommand, type HostCommand } from '../../src/trace/change/hostCommand.js'
import { hangul } from '../text/textsIn.js'
import { requestsOf, shippedLabs } from '../trace/requestsOf.js'

/** What a finding says in sentences. */
function sentencesOf({ end, rule, causes, changes, tried }: Finding): string[] {
  return [
    end.reason,
    ...(rule?.why === undefined ? [] : [rule.why]),
    ...causes.map(({ says }) => says),
    ...changes.map(({ proposal }) => proposalText(proposal)),
    ...tried.map(({ says }) => says),
  ]
}

function saidBy(lab: string, after: readonly string[], requests?: readonly WrittenRequest[]): string[] {
  const commands = after
    .map((text) => parseHostCommand(text))
    .filter((one): one is HostCommand => one !== undefined)
  const snapshot = planSnapshot(lab, { after: commands })
  return (requests ?? requestsOf(snapshot)).flatMap((written) => {
    const { findings, remarks } = whyRequest(snapshot, written)
    return [...findings.flatMap(sentencesOf), ...remarks.map(({ says }) => says)]
  })
}

/** Sentences that no phrase translates: a changed field is the same in both languages. */
function untranslated(sentences: Iterable<string>): string[] {
  return [...new Set(sentences)].filter(
    (one) =>
      /[a-z] /.test(one) &&
      !hangul.test(inLanguage(one, 'ko')) &&
      !/^(?:\S+ \S+: )?\S+: \S+ → \S+$/.test(one),
  )
}

const faults = [
  'node-a iptables -P FORWARD DROP',
  'node-a iptables -I FORWARD -j DROP',
  'node-a iptables -t nat -I PREROUTING -j ACCEPT',
  'node-a iptables -t nat -F KUBE-SERVICES',
  'node-a sysctl -w net.ipv4.ip_forward=0',
  'node-a sysctl -w net.ipv4.conf.all.rp_filter=1',
  'node-a sysctl -w net.bridge.bridge-nf-call-iptables=0',
  'node-a ip route del 10.244.2.0/24',
  'node-a ip link set dev eth0 mtu 1300',
  'node-a ip rule add from all lookup 99 priority 100',
]

t.test('why: every sentence about shipped labs and exercises is in Korean', async (t) => {
  const sentences = shippedLabs.flatMap((lab) => saidBy(lab, []))
  t.ok(new Set(sentences).size > 100)
  t.strictSame(untranslated(sentences), [])
})

t.test('why: every sentence about broken hosts is in Korean', async (t) => {
  const sentences = faults.flatMap((fault) => saidBy('nodeport', [fault]))
  t.ok(new Set(sentences).size > 20)
  t.strictSame(untranslated(sentences), [])
})

t.test('check: every finding about bundles, shipped labs and exercises is in Korean', async (t) => {
  const bundles = readdirSync('test/golden/bundles', { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  )
  const attached = await Promise.all(
    bundles.map(async ({ name }) => (await readAttachedSnapshot(`test/golden/bundles/${name}`)).snapshot),
  )
  const sentences = [...attached, ...shippedLabs.map((lab) => planSnapshot(lab))].flatMap((snapshot) => {
    const { findings, unknown } = check(snapshot)
    return [
      ...findings.flatMap(({ says, reason = '', affects, fixes }) => [
        says,
        reason,
        ...affects,
        ...fixes.map((fix) => fix.says),
      ]),
      ...unknown.map(({ why }) => why),
    ]
  })
  t.ok(new Set(sentences).size > 100)
  t.strictSame(untranslated(sentences), [])
})

t.test('reach: every sender, address and end in shipped labs is in Korean', async (t) => {
  const sentences = ['nodeport', 'no-endpoints', 'loadbalancer', 'traffic-policy', 'dual-stack'].flatMap(
    (lab) => {
      const { rows, broken, unknown } = reach(planSnapshot(lab))
      return [
        ...rows.flatMap(({ kind, address, entries }) => [
          `${kind} ${address}`,
          ...entries.flatMap(({ sources, ends, cell }) => [
            ...sources,
            ends,
            ...cell.ends.flatMap(({ reason = '' }) => reason),
          ]),
        ]),
        ...broken.map(({ says }) => says),
        ...unknown.keys(),
      ]
    },
  )
  t.ok(new Set(sentences).size > 50)
  t.strictSame(untranslated(sentences), [])
})
