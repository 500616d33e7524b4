import { basename } from 'node:path'
import t from 'tap'
import { InputError } from '../../src/errors.js'
import { isRequest } from '../../src/lab/file/toStep.js'
import { prepareLab, type PreparedLab } from '../../src/lab/plan/prepareLab.js'
import { calledBy } from '../../src/diagnose/calledBy.js'
import { type Snapshot } from '../../src/snapshot/model/snapshot.js'
import { question, type Question } from '../../src/diagnose/question.js'
import { snapshotOf } from '../../src/snapshot/fromPlan/plannedState.js'
import { readSnapshotText, snapshotText } from '../../src/snapshot/file/snapshotText.js'
import { whyRequest } from '../../src/diagnose/why/whyRequest.js'
import { OwnModeError } from '../../src/errors.js'
import { modeNames } from '../../src/agents/kubeProxy/config.js'
import { predict } from '../../src/trace/predict.js'
import { listLabs } from '../../src/lab/file/findLab.js'
import { isFull } from '../suite.js'

/** The requests of a lab's steps that a prediction accepts: those without names that DNS resolves. */
function questionsOf(prepared: PreparedLab, snapshot: Snapshot): Question[] {
  return prepared.steps.flatMap(({ action, from }) => {
    if (!isRequest(action) || from === undefined) return []
    try {
      return [question(snapshot, { from, ...calledBy(action, {}) })]
    } catch (error) {
      if (error instanceof InputError) return []
      throw error
    }
  })
}

/** A lab in every mode that it can run in; in `npm test` in one of them, in turns. */
function inModes(lab: string, index: number): readonly { mode: string; prepared: PreparedLab }[] {
  const all = modeNames.flatMap((mode) => {
    try {
      return [{ mode, prepared: prepareLab(lab, { mode }) }]
    } catch (error) {
      if (error instanceof OwnModeError) return []
      throw error
    }
  })
  return isFull ? all : all.filter((_, at) => at === index % all.length)
}

/** In `npm test` every third, and not that of 1,000 endpoints, whose requests have as many paths. */
const labs = listLabs().filter((lab, at) => isFull || (basename(lab) !== 'endpointslices' && at % 3 === 0))

for (const [index, lab] of labs.entries())
  t.test(`the snapshot of ${basename(lab)}, written and read`, async (t) => {
    let asked = 0
    for (const { mode, prepared } of inModes(lab, index)) {
      const snapshot = snapshotOf(prepared)
      const text = snapshotText(snapshot)
      const read = readSnapshotText('lab.json', text, () => true)
      t.equal(snapshotText(read), text, `${mode}: the same file`)
      for (const { written, from, packet } of questionsOf(prepared, snapshot)) {
        const same = question(read, written)
        t.strictSame([same.from, same.packet], [from, packet])
        const answer = (one: Snapshot) => JSON.stringify(predict(one.state, from, packet))
        t.equal(answer(read), answer(snapshot), `${mode}: ${written.from} → ${written.to}`)
        const reason = (one: Snapshot) => JSON.stringify(whyRequest(one, written))
        if (asked++ % 4 === 0) t.equal(reason(read), reason(snapshot), `${mode}: why ${written.to}`)
      }
    }
  })

t.test('what is not a snapshot is an error with a position', async (t) => {
  const text = snapshotText(snapshotOf(prepareLab('nodeport')))
  const problem = (changed: string) => {
    try {
      readSnapshotText('lab.json', changed, () => true)
    } catch (error) {
      if (error instanceof InputError) return error.problems[0]
      throw error
    }
    return undefined
  }
  t.equal(problem(text), undefined)
  t.match(problem(text.replace('"version": 1', '"version": 2')), {
    message: /version: is not 1/,
    at: { file: 'lab.json', line: 2 },
    hint: /vethlab snapshot/,
  })
  t.match(problem(text.replace('"basis": "plan"', '"basis": 7')), { message: /basis/, at: { line: 3 } })
  t.match(problem(text.replace(/"to": "[^"]*"/, '"to": null')), {
    message: /places\..*\.network\.routes\.\d+\.to/,
    at: { file: 'lab.json' },
  })
  t.match(problem(text.slice(0, 2000)), { at: { file: 'lab.json' } }, 'a text that is cut off')
  t.match(problem('[]'), { message: /not valid|not a snapshot/ })
  t.match(problem(text.replace('"places": {', '"places": {"__proto__": {"a": 1},')), {
    message: /not complete/,
  })
  t.match(problem(text.replace('\n  "fabric": {', '\n  "other": {')), { message: /places lacks fabric/ })
  t.match(problem(text.replaceAll('"listeners":', '"sockets":')), { message: /listeners/ })
  t.match(problem(''), { message: /not a snapshot/ })
})

t.test('a snapshot has no values of Secrets', async (t) => {
  const prepared = prepareLab('ingress-tls')
  const keys = (prepared.cluster.secrets ?? []).flatMap(({ data = {} }) => data['tls.key'] ?? [])
  t.ok(keys.length > 0)
  const text = snapshotText(snapshotOf(prepared))
  for (const key of keys) t.notOk(text.includes(key))

  const [secret] = prepared.cluster.secrets ?? []
  if (secret === undefined) throw new Error('the lab has no Secret')
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"stringData":{"a":"hidden"}}' }
  const data = { 'tls.crt': 'aGlkZGVu' }
  const opaque = { ...secret, type: 'Opaque', data, metadata: { ...secret.metadata, annotations } }
  const cluster = { ...prepared.cluster, secrets: [opaque] }
  const written = snapshotText(snapshotOf({ ...prepared, cluster }))
  t.notMatch(written, /hidden|aGlkZGVu/)
  t.match(written, /"tls.crt": ""/)
})

t.test('names of Services mean the same in a snapshot of a lab with DNS', async (t) => {
  const snapshot = snapshotOf(prepareLab('labs/network-policy'))
  const read = readSnapshotText('lab.json', snapshotText(snapshot), () => true)
  const { metadata } = snapshot.model.cluster.services.find(({ spec }) => spec.clusterIP !== 'None') ?? {}
  const to = `http://${metadata?.name}.${metadata?.namespace}/`
  const from = snapshot.model.topology.pods[0]?.name ?? ''
  const { packet } = question(read, { from, to, protocol: 'tcp' })
  t.strictSame(packet, question(snapshot, { from, to, protocol: 'tcp' }).packet)
})
