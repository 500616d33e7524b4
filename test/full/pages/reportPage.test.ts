import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import t, { type Test } from 'tap'
import { reportPageFiles } from '../../../src/host/builtFiles.js'
import { htmlPage } from '../../../src/view/report/htmlPage.js'
import { failingResult } from '../../reporters/fixture.js'
import { momentsOf, launch, noBrowser, openPage, violations, type Opened, type View } from './browser.js'
import { vethlab } from '../../kernel/commandLine.js'

let browser: Browser | undefined
t.before(async () => {
  if (noBrowser === false) browser = await launch()
})
t.teardown(() => browser?.close())

function open(t: Test, address: string, view: View = {}): Promise<Opened> {
  if (browser === undefined) throw new Error('there is no browser')
  return openPage(t, browser, address, view)
}

t.test('the report of a lab in a browser', { skip: noBrowser }, async (t) => {
  const file = join(t.testdir(), 'nodeport.html')
  const { code, stderr } = await vethlab(['run', 'nodeport', '--reporter', 'html', '--output', file])
  t.equal(code, 0, stderr)

  t.test('keys move through every moment, and the address names step and flow', async (t) => {
    const { page, errors } = await open(t, `file://${file}#nodeport/3/2`)
    t.match(await page.textContent('.steps li.shown'), 'every pod gets requests')
    const moments = await momentsOf(page)
    t.ok(moments > 15, `${moments} moments`)
    const seen = new Set<string>()
    for (let index = 0; index < moments; index++) {
      seen.add((await page.textContent('.moment h2')) ?? '')
      await page.keyboard.press('ArrowRight')
    }
    t.equal(seen.size, moments, 'each moment was shown')
    t.match(await page.textContent('.moment'), /answers/)
    await page.keyboard.press('ArrowLeft')
    t.match(await page.textContent('.moment h2'), `moment ${moments - 1} of ${moments}`)
    await page.click('.steps li:nth-child(2) a.step')
    t.match(page.url(), /#nodeport\/2\/1$/)
    t.strictSame(errors, [])
  })

  t.test('DNAT is shown in the map, in the drawing and in the addresses', async (t) => {
    const { page, errors } = await open(t, `file://${file}#nodeport/1/1`)
    await page.locator('.flow-place', { hasText: 'node-a' }).first().click()
    await page.click('.map .cell:has-text("DNAT")')
    t.match(await page.textContent('.map .cell.now'), 'DNAT')
    t.match(await page.textContent('.moment .tuple'), /172\.18\.0\.2:30080.*10\.244\.\d\.2:80/s)
    t.match(await page.textContent('.topology svg'), /DNAT → 10\.244\.\d\.2:80/)
    t.match(await page.textContent('.rules'), 'KUBE-NODEPORTS')
    t.strictSame(errors, [])
  })

  t.test('a node that is down is drawn without its link, and not ready', async (t) => {
    const { page } = await open(t, `file://${file}#nodeport/5/1`)
    t.match(await page.textContent('.steps li.shown'), 'node-b goes down')
    const node = page.locator('.box.node.not-ready')
    t.match(await node.allTextContents(), [/node-b.*not ready/])
    t.match(await page.locator('.link.down title').allTextContents(), ['the link of node-b is down'])
    await page.goto(`file://${file}#nodeport/8/1`)
    await page.waitForSelector('.link.down', { state: 'detached' })
    t.equal(await page.locator('.box.not-ready').count(), 0)
  })

  t.test('a moment has an address, and an unknown one is reported', async (t) => {
    const { page } = await open(t, `file://${file}#nodeport/1/1/7`)
    const heading = await page.textContent('.moment h2')
    t.match(heading, 'moment 7 of')
    await page.keyboard.press('ArrowRight')
    t.match(page.url(), /#nodeport\/1\/1\/8$/)
    await page.reload()
    await page.waitForSelector('.bar')
    t.match(await page.textContent('.moment h2'), 'moment 8 of')
    t.equal(await page.locator('.unknown').count(), 0)
    for (const [address, unknown] of [
      ['nodeport/99/1', 'step 99'],
      ['nodeport/1/9', 'flow 9'],
      ['nodeport/1/1/999', 'moment 999'],
      ['other', 'lab other'],
    ] as const) {
      await page.goto(`file://${file}#${address}`)
      await page.getByText(`This report has no ${unknown}.`).waitFor()
    }
    await page.goto(`file://${file}#nodeport/2/1`)
    await page.waitForSelector('.unknown', { state: 'detached' })
  })

  t.test('the host that chose the endpoint has the Service', async (t) => {
    const { page } = await open(t, `file://${file}#nodeport/1/1`)
    t.strictSame(await page.locator('svg .decided').allTextContents(), ['Service my-nodeport-service'])
  })

  t.test('the packets can be saved', async (t) => {
    const { page } = await open(t, `file://${file}`)
    const waiting = page.waitForEvent('download')
    await page.click('text=Save packets')
    const download = await waiting
    t.equal(download.suggestedFilename(), 'nodeport.pcapng')
    t.equal(readFileSync(await download.path()).readUInt32LE(0), 0x0a0d0d0a)
  })

  t.test('no violation of accessibility', async (t) => {
    const { page } = await open(t, `file://${file}#nodeport/1/1`, { reducedMotion: 'reduce' })
    for (let index = 0; index < 5; index++) await page.keyboard.press('ArrowRight')
    t.strictSame(await violations(page), [])
  })

  t.test('the verdict has the status and the time that the caller got', async (t) => {
    const { page } = await open(t, `file://${file}#nodeport/1/1`)
    t.match(await page.textContent('.verdict.good b'), /→ HTTP 200 in [\d.]+ ms$/)
  })

  t.test('a host on which nothing listens refuses, and does not answer', async (t) => {
    const { page } = await open(t, `file://${file}#nodeport/4/1`)
    t.match(await page.textContent('.verdict.bad b'), /nothing listens on .*\(refused\)$/)
    const rows = await page.locator('.flow-place').allTextContents()
    t.match(rows.at(-2), /^node-a refuses it/)
    t.notOk(rows.some((text) => text.includes('answers')))
  })

  t.test('a narrow screen shows everything without scrolling sideways', async (t) => {
    const { page } = await open(t, `file://${file}#nodeport/1/1`, { width: 390 })
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    t.ok(await page.isVisible('.topology svg'))
  })

  t.test('on paper it has every step', async (t) => {
    const { page } = await open(t, `file://${file}`)
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    t.equal(await page.locator('.printed section:not(.topology) > h2').count(), 9)
    t.equal(await page.locator('.printed .topology').count(), 1)
    t.equal(await page.locator('.printed .topology .path').count(), 0, 'no path: it has several packets')
    t.match(await page.textContent('.printed .verdict >> nth=0'), /HTTP 200 in [\d.]+ ms$/)
    t.match(await page.textContent('.printed .flow-rule >> nth=0'), /^nat PREROUTING: .* -j KUBE-SERVICES$/)
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 800, height: 1100 })
    const cut = `[...document.querySelectorAll('.printed .flow-visit')].filter((one) => {
      const { left, right } = one.getBoundingClientRect()
      return left < 0 || right > innerWidth
    }).length`
    t.equal(await page.evaluate(cut), 0, 'no host is wider than the page')
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    t.ok(await page.isVisible('.bar'))
  })
})

t.test('a report of several labs has a heading, and their results', { skip: noBrowser }, async (t) => {
  const report = failingResult()
  const lab = { report, steps: [], topologies: [report.topology], places: {} }
  const file = join(t.testdir(), 'all.html')
  writeFileSync(file, htmlPage({ version: 1, vethlab: '1', labs: [lab, lab] }, [], reportPageFiles()))
  const { page, errors } = await open(t, `file://${file}`)
  t.equal(await page.textContent('h1'), 'Results of 2 labs')
  t.strictSame(await violations(page), [])
  t.strictSame(errors, [])
})

t.test('hostile texts stay texts', { skip: noBrowser }, async (t) => {
  const hostile = '</script><img src=x onerror="document.title=1">'
  const good = failingResult()
  const [first, ...others] = good.steps
  if (first === undefined) throw new Error('the result has no step')
  const steps = [{ ...first, name: hostile, action: hostile, error: hostile }, ...others]
  const report = { ...good, lab: 'hostile', title: hostile, notices: [hostile], steps }
  const { topology } = report
  const file = join(t.testdir(), 'hostile.html')
  const lab = { report, steps: [], topologies: [topology], places: {} }
  writeFileSync(file, htmlPage({ version: 1, vethlab: hostile, labs: [lab] }, [undefined], reportPageFiles()))
  const { page, errors } = await open(t, `file://${file}`)
  t.equal(await page.locator('img').count(), 0)
  t.match(await page.textContent('.steps'), hostile)
  t.notSame(await page.title(), '1')
  t.strictSame(errors, [])
})

t.test('the page of a prediction in two modes', { skip: noBrowser }, async (t) => {
  const file = join(t.testdir(), 'trace.html')
  const request = ['nodeport', 'client', 'http://{node-a}:30080/']
  const { code, stderr } = await vethlab([
    ...['trace', ...request, '--predict', '--compare', 'nftables', '--html', file],
  ])
  t.equal(code, 0, stderr)
  const { page, errors } = await open(t, `file://${file}#nodeport/2/2`)
  t.match(await page.textContent('.steps li.shown'), 'in mode nftables')
  t.match(await page.locator('.chip').allTextContents(), [/my-app-\S+ · 1\/2/, /my-app-\S+ · 1\/2/])
  for (let moments = await momentsOf(page); moments > 0; moments--)
    if (!/ip kube-proxy/.test((await page.textContent('.dot.now')) ?? ''))
      await page.keyboard.press('ArrowRight')
  t.match(await page.textContent('.map tbody tr:last-child'), /^ip kube-proxyDNAT · \d+ rules/)
  t.match(await page.textContent('.sources'), 'no packet was sent')
  t.strictSame(await violations(page), [])
  t.strictSame(errors, [])
})

t.test(
  'the page of a request that fails has what would fix it, on paper too',
  { skip: noBrowser },
  async (t) => {
    const file = join(t.testdir(), 'trace.html')
    const request = ['no-endpoints', 'client', 'http://{node-a}:30081/', '--predict', '--html', file]
    const { code, stderr } = await vethlab(['trace', ...request])
    t.equal(code, 0, stderr)
    const { page, errors } = await open(t, `file://${file}`)
    const why = (await page.textContent('.steps .why-answer')) ?? ''
    t.match(why, /no ready pod.*explain external-policy-local.*What would help.*call http/s)
    t.match(
      why,
      /Local → Cluster.*vethlab kubectl no-endpoints patch service\/local/s,
      'each with its command',
    )
    t.match(await page.textContent('.verdict.bad'), /→ predicted: node-a: .*drops it/)
    t.notMatch(await page.textContent('.verdict'), ' ms', 'a prediction has no time')
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    t.equal(await page.textContent('.printed .why-answer'), why)
    t.ok((await page.locator('.printed .topology .path.passed').count()) > 0, 'the path in the topology')
    t.match(await page.textContent('.printed .verdict'), 'drops it')
    t.strictSame(await violations(page), [])
    t.strictSame(errors, [])
  },
)

t.test('a page in Korean has no English sentence', { skip: noBrowser }, async (t) => {
  const file = join(t.testdir(), 'trace.html')
  const request = ['no-endpoints', 'client', 'http://{node-a}:30080/', '--predict', '--html', file]
  const { code, stderr } = await vethlab(['trace', ...request, '--lang', 'ko'])
  t.equal(code, 0, stderr)
  const { page, errors } = await open(t, `file://${file}`)
  t.equal(await page.getAttribute('html', 'lang'), 'ko')
  t.match(await page.title(), '예측: 요청이 실패합니다')
  t.match(await page.textContent('.verdict'), /거부합니다/)
  t.match(await page.locator('.flow-place').allTextContents(), [
    ...[/보냄/, /^node-a/, /^node-a 오류를 알림: ICMP 포트 도달 불가$/, /받음/],
  ])
  const found: string[] = []
  const sentences = `[...document.querySelectorAll('.bar, .steps > p, .steps li, main :is(h2, p, li), .moment, .timeline')]
    .flatMap((one) => [...one.childNodes])
    .flatMap(({ nodeType, textContent }) => (nodeType === 3 ? [textContent] : []))
    .filter((text) => /[a-z]{3,} [a-z]{2,} [a-z]{2,}/.test(text))`
  for (let moments = await momentsOf(page); moments > 0; moments--) {
    found.push(...(await page.evaluate<string[]>(sentences)))
    await page.keyboard.press('ArrowRight')
  }
  t.strictSame(found, [])
  t.strictSame(await violations(page), [])
  t.strictSame(errors, [])
})

t.test('the page about the rules of a lab', { skip: noBrowser }, async (t) => {
  const file = join(t.testdir(), 'mutate.html')
  const { code, stderr } = await vethlab(['mutate', 'nodeport', '--rule', 'KUBE-NODEPORTS', '--html', file])
  t.equal(code, 0, stderr)
  for (const width of [1440, 390]) {
    const { page, errors } = await open(t, `file://${file}`, { width })
    t.match(await page.textContent('.rules li'), /KUBE-NODEPORTS[^]*without it on node-a, node-b: “/)
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), page.viewportSize()?.width)
    t.strictSame(await violations(page), [])
    t.strictSame(errors, [])
  }
})
