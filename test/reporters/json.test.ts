import fc from 'fast-check'
import t from 'tap'
import { anyRun } from './arbitraryEvents.js'
import { brokenResult, eventsOf, failingResult, passingResult } from './fixture.js'
import { interleaved, report } from './golden.js'

interface Hops {
  steps: { flows: { hops: { protocol?: string }[]; replyHops: { protocol?: string }[] }[] }[]
}

/** Removes from each hop the protocol that the document adds. */
function withoutProtocols(document: Hops): Hops {
  for (const step of document.steps) {
    for (const flow of step.flows) {
      for (const hop of [...flow.hops, ...flow.replyHops]) delete hop.protocol
    }
  }
  return document
}

t.test('the document of one lab is its result', async (t) => {
  const document = JSON.parse(report('json', eventsOf(passingResult()))) as Hops
  t.equal(document.steps[0]?.flows[0]?.hops[0]?.protocol, 'tcp')
  t.same(withoutProtocols(document), { schemaVersion: 1, ...passingResult() })
})

t.test('the document of several labs is a list with one verdict', async (t) => {
  const labs = [passingResult(), failingResult(), brokenResult()].map((each, index) => ({
    ...each,
    lab: `lab-${index}`,
  }))
  const document = JSON.parse(report('json', interleaved(labs))) as { ok: boolean; labs: Hops[] }
  t.equal(document.ok, false)
  t.same(document.labs.map(withoutProtocols), labs)
  const good = JSON.parse(
    report('json', interleaved(labs.slice(0, 1).concat({ ...passingResult(), lab: 'x' }))),
  ) as {
    ok: boolean
  }
  t.equal(good.ok, true)
})

t.test('an interrupted lab keeps its results', async (t) => {
  const document = JSON.parse(report('json', eventsOf(passingResult()).slice(0, -2))) as Record<
    string,
    unknown
  >
  t.equal(document['ok'], false)
  t.match(document['error'], 'interrupted')
  t.same(document['topology'], passingResult().topology)
  t.equal((document['steps'] as unknown[]).length, 3)
  t.notOk('machine' in document)
})

t.test('any text is preserved, and no text acts on a terminal', async () => {
  fc.assert(
    fc.property(anyRun, ({ events, results, whole }) => {
      const text = report('json', events)
      const document = JSON.parse(text) as { labs?: { lab: string }[]; lab?: string }
      const labs = document.labs ?? [document as { lab: string }]
      const printableOnly = !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text.replaceAll('\n', ''))
      const names =
        JSON.stringify(labs.map(({ lab }) => lab)) === JSON.stringify(results.map(({ lab }) => lab))
      return printableOnly && (names || !whole)
    }),
    { numRuns: 300 },
  )
})
