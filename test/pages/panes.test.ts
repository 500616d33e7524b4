import { join } from 'node:path'
import t from 'tap'
import { launch, noBrowser, openPage } from '../full/pages/browser.js'
import { choose, pageOf, send, showPane, startCopy } from '../full/pages/paneActions.js'
import { recordedExercises, serveClass } from '../full/pages/recordedClass.js'
import { recordingOf, serveRecording } from '../full/pages/recordedLab.js'
import { vethlab } from '../kernel/commandLine.js'

t.test('every pane of the live page shows its part of the lab', { skip: noBrowser }, async (t) => {
  const browser = await launch()
  t.teardown(() => browser.close())
  const lab = await startCopy(t)
  const { page, errors } = await pageOf(t, browser, lab)
  const shown = {
    Path: async () => {
      await choose(page, /^From/, 'client')
      t.match(await send(page, '{node-a}:30080'), 'HTTP 200')
      await page.locator('.flow .dot').first().waitFor()
    },
    Rules: async () => {
      await choose(page, /^Node/, 'node-a')
      await page.locator('section[aria-label="nat KUBE-NODEPORTS"] .live-rule').first().waitFor()
    },
    Place: async () => {
      await choose(page, /^Place/, 'node-a')
      await page.getByRole('region', { name: 'Addresses' }).getByText('172.18.0.2/16').waitFor()
    },
    Objects: async () => {
      await page.getByRole('button', { name: 'my-nodeport-service' }).click()
      await page.waitForFunction(
        `document.querySelector('.cm-content')?.innerText.includes('nodePort: 30080')`,
      )
    },
    Packets: async () => {
      await choose(page, /^Link/, 'node-a eth0')
      await page.locator('.packet-list tbody tr').first().waitFor()
    },
    Terminal: async () => {
      await choose(page, /^Place/, 'client')
      await page.getByRole('button', { name: 'Open a shell' }).click()
      await page.getByRole('textbox', { name: 'terminal of client' }).waitFor()
    },
  }
  t.strictSame(await page.getByRole('tab').allTextContents(), Object.keys(shown), 'each pane is tried')
  for (const [pane, look] of Object.entries(shown)) {
    await showPane(page, pane)
    await look()
    t.pass(pane)
  }
  t.strictSame(errors, [])
})

t.test('a report, and the pages of a class', { skip: noBrowser }, async (t) => {
  const browser = await launch()
  t.teardown(() => browser.close())
  const file = join(t.testdir(), 'nodeport.html')
  t.equal((await vethlab(['run', 'nodeport', '--reporter', 'html', '--output', file])).code, 0)

  const report = await openPage(t, browser, `file://${file}#nodeport/1/1`)
  await report.page.locator('.flow-place', { hasText: 'node-a' }).first().click()
  t.match(await report.page.textContent('.moment h2'), /^node-a · moment \d+ of \d+/)
  await report.page.locator('.map .cell', { hasText: 'DNAT' }).click()
  t.match(await report.page.textContent('.rules'), 'KUBE-NODEPORTS')
  t.strictSame(report.errors, [])

  const live = await serveRecording(recordingOf(file))
  t.teardown(() => live.close())
  const [{ name: exercise } = { name: '' }] = recordedExercises()
  const one = {
    ...{ name: 'team-1', devices: 1, exercise, exerciseStartedAt: Date.now(), running: true, solved: 0 },
    ...{ states: {}, checks: { passed: 0, failed: 0 }, hints: 0, solutions: 0, lastActivity: Date.now() },
    ...{ stuck: undefined, assisted: false },
  }
  const recorded = await serveClass([one], 'every-other', live.url)
  t.teardown(() => recorded.close())
  const { page, errors } = await openPage(t, browser, recorded.url('participant'))
  await page.getByRole('button', { name: 'About half of all requests' }).click()
  await page.getByRole('button', { name: 'Start the lab' }).click()
  await page.frameLocator('iframe').locator('.drawing svg').waitFor()
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('1 of 3 checks passed').waitFor()
  const trainer = await openPage(t, browser, recorded.url('trainer'))
  await trainer.page.locator('.participants tbody th').getByText('team-1').waitFor()
  t.strictSame([...errors, ...trainer.errors], [])
})
