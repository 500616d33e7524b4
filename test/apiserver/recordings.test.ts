import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { withoutControllers } from './recordings/compared.js'
import { answerIn, replay, type Case } from './recordings/replay.js'
import { replayApply } from './recordings/replayApply.js'
import { shownText } from './recordings/shownText.js'
import { writableLab } from './writableLab.js'

/** Recordings of a real API server, how many cases each has, and the namespace of its objects. */
const recordings = [
  ['warnings', 59, 'npt-warn'],
  ['empty', 123, 'npt-empty'],
  ['servicecidr', 57, 'npt-lab'],
  ['networkpolicy', 149, 'npt-lab'],
  ['networkpolicy-kubectl', 7, 'npt-lab'],
] as const

/** 20,000 pods; the answer is the same without them. */
const large = 'warn: job: completions indexed and large parallelism'

for (const [name, count, namespace] of recordings)
  t.test(name, async (t) => {
    const text = readFileSync(`test/golden/api-server-1.36/${name}.yaml`, 'utf8')
    const cases = parse(text, { maxAliasCount: -1 }) as readonly Case[]
    t.equal(cases.length, count)
    for (const one of cases) await t.test(one.about, (t) => playCase(t, one, namespace))
  })

async function playCase(t: Test, recorded: Case, namespace: string): Promise<void> {
  const text = `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${namespace} }\n`
  const lab = await writableLab(t, text, {}, ['IPv4', 'IPv6'])
  if (recorded.then?.apply !== undefined) {
    t.same(replayApply(recorded, lab), recorded.then)
    return
  }
  const { then, ...answer } = await replay(
    recorded,
    namespace,
    (...args) => lab.send(...args),
    recorded.about === large,
  )
  t.same(answer, answerIn(recorded))
  for (const { kubectl, output } of recorded.show ?? [])
    t.equal(await shownText(kubectl, lab), output, kubectl)
  if (recorded.then !== undefined)
    t.same(withoutControllers(then), withoutControllers(answerIn(recorded.then)))
}
