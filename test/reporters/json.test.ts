import fc from 'fast-check'
import t from 'tap'
import { anyRun } from './arbitraryEvents.js'
import { brokenResult, eventsOf, failingResult, passingResult } from './fixture.js'
import { interleaved, report } from './golden.js'

interface Hops {
  steps: { flows: { hops: { protocol?: string }[]; replyHops: { protocol?: string }[] }[] }[]
}

/** Takes from each hop the protocol that the document adds to what an event holds. */
function withoutProtocols(document: Hops): Hops {
  for (const step of document.steps) {
    for (const flow of step.flows) {
      for (const hop of [...flow.hops, ...flow.replyHops]) delete hop.protocol
    }
  }
  return document
}

t.test('one lab is its result', async (t) => {
  const document = JSON.parse(report('json', eventsOf(passingResult()))) as Hops
  t.equal(document.steps[0]?.flows[0]?.hops[0]?.protocol, 'tcp')
  t.same(withoutProtocols(document), { schemaVersion: 1, ...passingResult() })
})

t.test('several labs are a list with one verdict', async (t) => {
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

t.test('a lab that is cut off keeps what was seen', async (t) => {
  const document = JSON.parse(report('json', eventsOf(passingResult()).slice(0, -2))) as Record<
    string,
    unknown
  >
  t.equal(document['ok'], false)
  t.match(document['error'], 'cut off')
  t.same(document['topology'], passingResult().topology)
  t.equal((document['steps'] as unknown[]).length, 3)
  t.notOk('machine' in document)
})

t.test('any text comes back as it was, and none acts on a terminal', async () => {
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
