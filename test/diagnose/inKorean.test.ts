import { readdirSync } from 'node:fs'
import t from 'tap'
import { check } from '../../src/diagnose/check/check.js'
import { readAttachedSnapshot } from '../../src/inspect/attached.js'
import { createColours } from '../../src/text/colour.js'
import type { Snapshot } from '../../src/snapshot/model/snapshot.js'
import { comparisonText, reachText } from '../../src/diagnose/reach/reachText.js'
import { checkText } from '../../src/diagnose/check/checkText.js'
import { inLanguage } from '../../src/diagnose/inLanguage.js'
import { compareReach } from '../../src/diagnose/reach/compare.js'
import { withOtherProxy } from '../../src/diagnose/reach/otherProxy.js'
import { reach } from '../../src/diagnose/reach/reach.js'
import { proposalText } from '../../src/diagnose/why/proposalText.js'
import type { Finding } from '../../src/diagnose/why/types.js'
import { whyRequest } from '../../src/diagnose/why/whyRequest.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { parseHostCommand, type HostCommand } from '../../src/trace/change/hostCommand.js'
import { englishWords, leftInEnglish, namesIn } from '../text/englishWords.js'
import { requestsOf, shippedLabs } from '../trace/requestsOf.js'

/** What a finding says in sentences. */
function sentencesOf({ end, rule, causes, changes, tried, assumptions }: Finding): string[] {
  return [
    end.reason,
    ...(rule?.why === undefined ? [] : [rule.why]),
    ...causes.map(({ says }) => says),
    ...changes.map(({ proposal }) => proposalText(proposal)),
    ...tried.map(({ says }) => says),
    ...assumptions.flatMap(({ question, taken }) => [question, taken]),
  ]
}

function whySentences(snapshot: Snapshot): string[] {
  return requestsOf(snapshot).flatMap((written) => {
    const { findings, remarks } = whyRequest(snapshot, written)
    return [...findings.flatMap(sentencesOf), ...remarks.map(({ says }) => says)]
  })
}

function afterFault(lab: string, command: string): Snapshot {
  const after = [parseHostCommand(command)].filter((one): one is HostCommand => one !== undefined)
  return planSnapshot(lab, { after })
}

const bundles = readdirSync('test/golden/bundles', { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => name)

async function attached(name: string): Promise<Snapshot> {
  return (await readAttachedSnapshot(`test/golden/bundles/${name}`)).snapshot
}

const leftIn = (snapshots: readonly Snapshot[], sentencesAbout: (snapshot: Snapshot) => readonly string[]) =>
  leftInEnglish(snapshots, sentencesAbout, (sentence) => inLanguage(sentence, 'ko'))

const options = { colours: createColours(false), language: 'ko', width: 10_000 } as const

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

const labs = shippedLabs.map((lab) => planSnapshot(lab))

t.test('why: every sentence about shipped labs and exercises is in Korean', (t) => {
  const { left, count } = leftIn(labs, whySentences)
  t.ok(count > 100)
  t.strictSame(left, [])
  t.end()
})

t.test('why: every sentence about broken hosts is in Korean', (t) => {
  const snapshots = faults.map((fault) => afterFault('nodeport', fault))
  const { left, count } = leftIn(snapshots, whySentences)
  t.ok(count > 20)
  t.strictSame(left, [])
  t.end()
})

t.test(
  'check: every finding and notice about bundles, shipped labs and exercises is in Korean',
  async (t) => {
    const snapshots = [...(await Promise.all(bundles.map(attached))), ...labs]
    const { left, count } = leftIn(snapshots, (snapshot) => {
      const { findings, unknown, notices } = check(snapshot)
      return [
        ...findings.flatMap(({ says, causes = [says], reason = '', affects, fixes }) => [
          ...causes,
          ...[reason, ...affects],
          ...fixes.map((fix) => fix.says),
        ]),
        ...unknown.map(({ why }) => why),
        ...notices,
      ]
    })
    t.ok(count > 100)
    t.strictSame(left, [])
  },
)

t.test('check: each of several causes is in Korean', (t) => {
  const text = checkText(check(planSnapshot('unexpected-sender')), options)
  t.match(
    text,
    /-j RETURN\. node-a: 요청의 목적지를 변환하고 출발지는 그대로 두는데, .*\. node-a: 요청을 마스커레이드하지 않습니다\. /,
  )
  t.end()
})

t.test('reach: every sender, address and end in shipped labs is in Korean', (t) => {
  const some = ['nodeport', 'no-endpoints', 'loadbalancer', 'traffic-policy', 'dual-stack', 'island'].map(
    (lab) => planSnapshot(lab),
  )
  const { left, count } = leftIn(some, (snapshot) => {
    const { rows, broken, unknown } = reach(snapshot)
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
  })
  t.ok(count > 50)
  t.strictSame(left, [])
  t.end()
})

/** A text without lines of rules, which are as their tools print them. */
function withoutRules(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^ {5}규칙/.test(line))
    .join('\n')
}

t.test('reach: texts, also of comparisons, are in Korean', async (t) => {
  const bundle = await attached('nft-readiness')
  for (const snapshot of [planSnapshot('traffic-policy'), bundle]) {
    const names = namesIn(snapshot)
    const text = withoutRules(reachText(reach(snapshot), options))
    t.strictSame(englishWords(text, names), [])
    for (const other of [{ mode: 'ipvs' }, { version: 33 }] as const) {
      const compared = compareReach(snapshot, withOtherProxy(snapshot, other), { sameCluster: true })
      const said = withoutRules(comparisonText(compared, options))
      t.strictSame(englishWords(said, names), [])
      t.match(said, /^(?:요청 \d+개 중 \d+개가 다르게 끝납니다:|다르게 끝나는 요청이 없습니다)\n/)
    }
  }
})
