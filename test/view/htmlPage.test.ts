import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import type { ReportDocument } from '../../src/view/report/document.js'
import { createHtmlReporter } from '../../src/view/report/htmlReporter.js'
import { htmlPage, pack } from '../../src/view/report/htmlPage.js'
import { eventsOf, failingResult, passingResult } from '../reporters/fixture.js'

const code = { script: 'const a = "</div>"', style: 'b{color:red}' }

function documentIn(html: string): ReportDocument {
  const [, text = ''] = /id="report">([^<]*)</.exec(html) ?? []
  return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as ReportDocument
}

t.test('the page has the results of every lab, and only its own code may run', async (t) => {
  let html = ''
  const reporter = createHtmlReporter(
    { version: '1.2.3', code: () => code, explained: () => undefined },
    { write: (text) => (html += text), colour: false, width: 100, language: 'en' },
  )
  for (const result of [passingResult(), failingResult()])
    for (const event of eventsOf(result)) reporter.on(event)
  reporter.end()
  const { labs, vethlab } = documentIn(html)
  t.equal(vethlab, '1.2.3')
  t.strictSame(
    labs.map(({ report }) => report.ok),
    [true, false],
  )
  t.strictSame(
    labs.map(({ steps, report }) => steps.length - report.steps.length),
    [0, 0],
  )
  for (const text of Object.values(code)) {
    const hash = createHash('sha256').update(text).digest('base64')
    t.match(html, `'sha256-${hash}'`)
    t.match(html, `>${text}</`)
  }
  t.match(html, "default-src 'none'")
  t.notMatch(html, 'unsafe-')
  t.match(html, '<title>vethlab: 1 of 2 labs failed</title>')
})

t.test('a page has the sentences and texts of its language, and one in English has none', async (t) => {
  const report = passingResult()
  const verdict = 'predicted: the request passes'
  const lab = { report, verdict, steps: [], topologies: [report.topology], places: {} }
  const page = { version: 1, vethlab: '1', labs: [lab] } as const
  const english = htmlPage(page, [], code)
  t.notMatch(english, 'id="sentences"')
  t.match(english, '<html lang="en">')
  const texts = 'globalThis.koreanTexts = {}'
  const html = htmlPage(page, [], { ...code, texts }, 'ko')
  t.match(html, '<html lang="ko">')
  t.match(html, `<title>vethlab: ${report.lab}: 예측: 요청이 통과합니다</title>`)
  const [, packed = ''] = /id="sentences">([^<]*)</.exec(html) ?? []
  t.match(JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()), {
    [verdict]: '예측: 요청이 통과합니다',
    passed: '통과',
  })
  t.match(html, `'sha256-${createHash('sha256').update(texts).digest('base64')}'`)
  t.match(html, `<script>${texts}</script>`)
})

t.test('texts from outside cannot become elements of the page', async (t) => {
  const hostile = '</script><img src=x onerror=alert(1)>"&'
  const report = { ...passingResult(), lab: hostile, title: hostile }
  const html = htmlPage(
    {
      ...{ version: 1, vethlab: hostile },
      labs: [{ report, steps: [], topologies: [report.topology], places: {} }],
    },
    [undefined],
    code,
  )
  t.notMatch(html, '<img')
  t.equal(documentIn(html).labs[0]?.report.title, hostile)
})

t.test('packets of labs that failed are kept, and those of others while there is room', async (t) => {
  let html = ''
  // numbers that gzip does not make smaller
  const packets = (size: number) =>
    Buffer.concat(
      Array.from({ length: size / 32 }, (_, index) =>
        createHash('sha256').update(`${size} ${index}`).digest(),
      ),
    )
  const sizes = [3_200_000, 320_000, 3_200_000]
  const reporter = createHtmlReporter(
    {
      ...{ version: '1.2.3', code: () => code },
      explained: ({ lab }) => ({
        packets: () => packets(sizes[Number(lab)] ?? 0),
        paths: {
          afterStep: () => Promise.resolve(),
          collected: () => ({ steps: [], topologies: [], places: {} }),
        },
      }),
    },
    { write: (text) => (html += text), colour: false, width: 100, language: 'en' },
  )
  const results = [passingResult(), passingResult(), failingResult()]
  for (const [index, result] of results.entries())
    for (const event of eventsOf({ ...result, lab: String(index) })) reporter.on(event)
  reporter.end()
  t.strictSame(
    documentIn(html).labs.map(({ captureBytes }) => captureBytes),
    [undefined, undefined, sizes[2]],
  )
  t.match(html, pack(packets(3_200_000)).slice(0, 100))
})
