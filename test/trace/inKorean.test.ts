import t from 'tap'
import { headline } from '../../src/diagnose/headline.js'
import { question } from '../../src/diagnose/question.js'
import { causesIn } from '../../src/diagnose/why/whyRequest.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { createColours } from '../../src/text/colour.js'
import type { Snapshot } from '../../src/snapshot/model/snapshot.js'
import type { Path } from '../../src/trace/model/steps.js'
import { predict } from '../../src/trace/predict.js'
import { leftInEnglish } from '../text/englishWords.js'
import { requestsOf, shippedLabs } from './requestsOf.js'
import { createPhrasebook } from '../../src/text/phrasebook.js'
import { inLanguage, koreanOfTrace } from '../../src/trace/text/inLanguage.js'
import { framesOfExchange } from '../../src/view/path/frames.js'
import { koreanOfPaths } from '../../src/view/path/korean.js'
import type { PredictedFlow } from '../../src/view/report/document.js'
import { predictionText } from '../../src/trace/text/predictionText.js'

/** What a page says about the moments of a predicted path. */
function momentsOf(path: Path): string[] {
  const known: PredictedFlow = {
    ...{ path, paths: 1, basis: 'plan', seen: 0, differing: [], passedOn: [] },
    beyond: { hops: [], replyHops: [] },
  }
  const frames = framesOfExchange(known.beyond, known)
  return frames.flatMap(({ text, notes, kind }) => (kind === 'table' ? notes : [text, ...notes]))
}

/** What a path says in sentences. */
function sentencesOf(path: Path): string[] {
  const steps = path.hops.flatMap((hop) => hop.steps)
  const own = [
    ...steps.flatMap((step) => ('why' in step && step.why !== undefined ? [step.why] : [])),
    ...steps.flatMap((step) => (step.kind === 'rule' && step.because !== undefined ? [step.because] : [])),
    ...steps.flatMap((step) => (step.kind === 'link' ? [step.text] : [])),
    path.end.reason,
    ...(path.receiver === undefined ? [] : [path.receiver.name]),
    ...path.choices.flatMap(({ kind, question, taken }) => (kind === 'unknown' ? [question, taken] : [])),
  ]
  const { relayed } = path
  return relayed?.path === undefined ? own : [...own, ...sentencesOf(relayed.path)]
}

function pathsAbout(snapshot: Snapshot): Path[] {
  return requestsOf(snapshot).flatMap((written) => {
    const asked = question(snapshot, written)
    return predict(asked.snapshot.state, asked.from, asked.packet, { everyRule: true }).paths
  })
}

function sentencesAbout(snapshot: Snapshot): string[] {
  return pathsAbout(snapshot).flatMap(sentencesOf)
}

const translate = (sentence: string) => inLanguage(sentence, 'ko')

t.test('every sentence about requests in shipped labs is in Korean', (t) => {
  const snapshots = shippedLabs.map((lab) => planSnapshot(lab))
  const { left, count } = leftInEnglish(snapshots, sentencesAbout, translate)
  t.ok(count > 100)
  t.strictSame(left, [])
  t.end()
})

t.test('so is every sentence in other modes', (t) => {
  const labs = ['nodeport', 'traffic-policy', 'session-affinity', 'no-endpoints', 'network-policy']
  const snapshots = (['nftables', 'ipvs'] as const).flatMap((mode) =>
    labs.map((lab) => planSnapshot(lab, { mode })),
  )
  const { left, count } = leftInEnglish(snapshots, sentencesAbout, translate)
  t.ok(count > 100)
  t.strictSame(left, [])
  t.end()
})

t.test('every moment that a page shows of them is in Korean', (t) => {
  const inKorean = createPhrasebook({ ...koreanOfTrace, ...koreanOfPaths })
  const { left, count } = leftInEnglish(
    shippedLabs.map((lab) => planSnapshot(lab)),
    (snapshot) => pathsAbout(snapshot).flatMap(momentsOf),
    (sentence) => inKorean(sentence) ?? sentence,
  )
  t.ok(count > 100)
  t.strictSame(left, [])
  t.end()
})

t.test('the text of a path is in Korean, names and rules are as in English', async (t) => {
  const asked = question(planSnapshot('nodeport'), {
    ...{ from: 'client', to: 'http://{node-a}:30080/', protocol: 'tcp' },
  })
  const prediction = predict(asked.snapshot.state, asked.from, asked.packet)
  const text = predictionText(prediction, {
    ...{ colours: createColours(false), language: 'ko', width: 100, all: false, path: 2 },
    nameOf: () => undefined,
  })
  for (const line of [
    /CONNTRACK NEW: nat의 규칙은 연결마다 한 번만 평가됩니다\n/,
    /KUBE-SVC-\S+ 2 +✗ random 1\/2 → KUBE-SEP-\S+ \(선택되지 않음\)\n/,
    /✔ 응답 도착: 파드 default\/\S+의 응답\n/,
    /\n가능한 경로 2개 \(2번 경로를 표시함, 다른 경로는 --path N\):\n/,
  ])
    t.match(text, line)
  t.notMatch(text, /\b(?:answer|reply|chosen|the|is)\b/)
  t.equal(
    headline(asked, causesIn(asked, prediction), 'ko').sentence.replaceAll(/파드 \d+/g, '파드 N'),
    'client → node-a (172.18.0.2:30080): node-a의 규칙에 따라 파드 N개 중 하나에 도달하고 응답을 받습니다',
  )
})

t.test('a request that fails is in Korean, with its cause', async (t) => {
  const asked = question(planSnapshot('no-endpoints'), {
    ...{ from: 'caller', to: 'http://{empty}/', protocol: 'tcp' },
  })
  const prediction = predict(asked.snapshot.state, asked.from, asked.packet)
  t.equal(
    headline(asked, causesIn(asked, prediction), 'ko').sentence,
    'caller → 서비스 default/empty (10.96.1.1:80): “connection refused” 오류를 받습니다. node-a: filter KUBE-SERVICES의 2번 규칙이 거부합니다(icmp-port-unreachable). 원인은 Service default/empty의 spec.selector에 있습니다',
  )
})
