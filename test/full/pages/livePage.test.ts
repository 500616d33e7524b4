import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import t, { type Test } from 'tap'
import { pageFile } from '../../../src/host/builtFiles.js'
import type { LivePacket, LiveRule, NodeRules, PlaceDetails } from '../../../src/view/live/api.js'
import { vethlab } from '../../kernel/commandLine.js'
import { momentsOf, launch, noBrowser, openPage, violations, type View } from './browser.js'
import { recordingOf, serveRecording, type Recording } from './recordedLab.js'

t.test('the live page against a recorded lab', { skip: noBrowser }, async (t) => {
  const browser: Browser = await launch()
  t.teardown(() => browser.close())
  const file = join(t.testdir(), 'nodeport.html')
  const { code, stderr } = await vethlab(['run', 'nodeport', '--reporter', 'html', '--output', file])
  t.equal(code, 0, stderr)
  const recording = recordingOf(file)
  const serve = async (t: Test, served: Recording = recording) => {
    const lab = await serveRecording(served)
    t.teardown(() => lab.close())
    const open = async (view?: View) => {
      const opened = await openPage(t, browser, lab.url, view)
      await opened.page.waitForSelector('.topology svg')
      await opened.page.waitForSelector('text=Live')
      return opened
    }
    return { lab, open }
  }

  t.test('the page without the terminal has at most 60 kB', async (t) => {
    const bytes = gzipSync(pageFile('live.js')).length + gzipSync(pageFile('style.css')).length
    t.comment(`${bytes} bytes gzip`)
    t.ok(bytes <= 60_000, `${bytes} bytes`)
  })

  t.test('a request is sent by keyboard, and shown step by step in every browser', async (t) => {
    const { open } = await serve(t)
    const { page, errors } = await open()
    const other = await open()
    await page.getByLabel('To', { exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('.timeline')
    const moments = await momentsOf(page)
    t.ok(moments > 10, `${moments} moments`)
    await page.locator('.requests .step').focus()
    for (let index = 1; index < moments; index++) await page.keyboard.press('ArrowRight')
    t.match(await page.textContent('.moment h2'), `moment ${moments} of ${moments}`)
    await other.page.click('.requests .step')
    t.match(await other.page.textContent('.moment h2'), `moment 1 of ${moments}`)
    t.strictSame([...errors, ...other.errors], [])
  })

  t.test('paper has the verdict, the picture and the rules of every host', async (t) => {
    const { open } = await serve(t)
    const { page } = await open()
    await page.getByLabel('To', { exact: true }).press('Enter')
    await page.waitForSelector('.timeline')
    t.equal(await page.locator('.flow-rule').count(), 0, 'on the screen the pane at the side has them')
    const passed = page.locator('.topology .path.passed')
    t.equal(await passed.count(), 0, 'on the screen the path is drawn up to its moment')
    await page.emulateMedia({ media: 'print' })
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    t.equal(await passed.count(), await page.locator('.topology .path').count(), 'paper has it whole')
    t.equal(await passed.first().isVisible(), true)
    t.ok((await page.locator('.topology .mark').count()) > 2, 'with its hosts numbered')
    t.match(await page.textContent('.flow-rule >> nth=0'), /^nat PREROUTING: .* -j KUBE-SERVICES$/)
    for (const part of ['.verdict', '.flow', '.topology'])
      t.equal(await page.locator(part).first().isVisible(), true, part)
    for (const part of ['.timeline', '.tabs', '.request', '.map', '.switch'])
      t.equal(await page.locator(part).first().isVisible(), false, part)
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    t.equal(await page.locator('.flow-rule').count(), 0)
    t.equal(await passed.count(), 0)
  })

  t.test('a page in Korean says in Korean what happens to a packet, and English again', async (t) => {
    const failing = { ...recording.outcome, passed: false, outcome: 'unreachable', answer: undefined }
    const findings = [
      {
        ...{ end: { reason: 'it times out' }, share: 1 },
        causes: [{ says: '172.18.0.3 is the address of node-b, and eth0 of node-b is down' }],
        changes: [{ says: 'eth0 of node-b is up', command: 'ip link set dev eth0 up', share: 1 }],
      },
    ]
    const { open } = await serve(t, { ...recording, outcome: failing, answers: { '/why': { findings } } })
    const { page, errors } = await open()
    await page.getByLabel('To', { exact: true }).press('Enter')
    await page.locator('.why-answer').getByText('eth0 of node-b is up').waitFor()
    await page.getByRole('button', { name: '한국어' }).click()
    await page.locator('.timeline').getByText('client에서 패킷을 보냅니다').waitFor()
    await page.locator('.why-answer').getByText('node-b의 eth0 인터페이스를 올림').waitFor()
    t.match(await page.textContent('.requests small'), '도달 불가')
    await page.getByRole('button', { name: 'English' }).click()
    await page.locator('.timeline').getByText('client sends the packet').waitFor()
    t.strictSame(errors, [])
  })

  t.test('arrow keys, Home and End select the panes', async (t) => {
    const { open } = await serve(t)
    const { page, errors } = await open()
    const labels = await page.getByRole('tab').allTextContents()
    const shown = async () => [
      await page.getByRole('tab', { selected: true }).textContent(),
      await page.locator(':focus').textContent(),
    ]
    await page.getByRole('tab', { selected: true }).focus()
    for (const label of [...labels.slice(1), labels[0]]) {
      await page.keyboard.press('ArrowRight')
      t.strictSame(await shown(), [label, label])
    }
    await page.keyboard.press('End')
    t.strictSame(await shown(), [labels.at(-1), labels.at(-1)])
    await page.keyboard.press('Home')
    t.strictSame(await shown(), [labels[0], labels[0]])
    t.strictSame(errors, [])
  })

  t.test('a request shows what it does until it has a result, and then what answered', async (t) => {
    const { lab, open } = await serve(t)
    const { page, errors } = await open()
    const request = { from: 'client', to: '{node-a}:30080', protocol: 'tcp' } as const
    const run = { id: 77, request, startedAt: Date.now() - 3000 }
    lab.emit('request', { ...run, phase: 'tracing' })
    await page.locator('.requests .step').click()
    await page.waitForSelector('.running progress')
    t.match(await page.textContent('.running'), /tracing it.*[34] seconds/)
    t.strictSame(await violations(page), [])
    const { path: _path, ...summary } = recording.outcome
    lab.emit('request', { ...run, result: summary })
    await page.waitForSelector('.flow')
    t.match(await page.textContent('.answer'), /200.*default\/my-app.*3 ms.*hello/)
    t.match(await page.textContent('.requests .step'), 'HTTP 200 · default/my-app · 3 ms')
    t.strictSame(errors, [])
  })

  t.test('a request and its moment have an address, and what is unknown is reported', async (t) => {
    const { lab, open } = await serve(t)
    const { page } = await open()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.waitForSelector('.timeline')
    await page.locator('.requests .step').focus()
    for (let index = 0; index < 4; index++) await page.keyboard.press('ArrowRight')
    t.match(page.url(), /#path\/1\/5$/)
    await page.reload()
    await page.waitForSelector('.timeline')
    await page.locator('.moment h2', { hasText: 'moment 5 of' }).waitFor()
    await page.getByRole('tab', { name: 'Packets' }).click()
    t.match(page.url(), /#packets$/)
    await page.goto(`${lab.url}#path/9`)
    await page.getByText('a request 9, which is not there').waitFor()
    await page.goto(`${lab.url}#rules/node-z`)
    await page.getByText('a place node-z, which is not there').waitFor()
    await page.goto(`${lab.url}#nothing`)
    await page.getByText('a pane nothing, which is not there').waitFor()
    await page.goto(`${lab.url}#rules/node-b`)
    await page.waitForSelector('.unknown', { state: 'detached' })
    t.equal(await page.getByRole('combobox', { name: /^Node/ }).inputValue(), 'node-b')
  })

  t.test('a host name and a path are sent with HTTP only', async (t) => {
    const { open } = await serve(t)
    const { page } = await open()
    await page.getByLabel('Host name').fill('example.com')
    await page.getByRole('textbox', { name: 'Path' }).fill('/a/pings')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    t.match(await page.textContent('.requests .step'), /30080\/a\/pings \(example\.com\)/)
    await page.getByLabel('Protocol').selectOption('udp')
    t.equal(await page.getByLabel('Host name').count(), 0)
  })

  t.test('the kinds of objects are read once', async (t) => {
    const { open } = await serve(t, {
      ...recording,
      answers: {
        '/kubernetes/api/v1/services': { columnDefinitions: [], rows: [] },
        '/kubernetes/api/v1': {
          groupVersion: 'v1',
          resources: [{ name: 'services', kind: 'Service', namespaced: true, verbs: ['list'] }],
        },
      },
    })
    const { page, errors } = await open()
    let calls = 0
    page.on('request', (request) => {
      if (/kubernetes\/(apis|api\/v1)$/.test(request.url())) calls++
    })
    for (const pane of ['Objects', 'Rules', 'Objects', 'Path', 'Objects']) {
      await page.getByRole('tab', { name: pane }).click()
      if (pane === 'Objects') await page.waitForSelector('text=No Service')
    }
    t.equal(calls, 2)
    t.strictSame(errors, [])
  })

  t.test('a request that the server rejects is shown with its hint', async (t) => {
    const { open } = await serve(t)
    const { page } = await open()
    await page.getByLabel('Protocol').selectOption('tcp')
    await page.getByLabel('To', { exact: true }).fill('nothing')
    await page.click('text=Predict')
    t.equal(await page.textContent('[role=alert]'), 'no port in nothing; add one')
  })

  t.test('a lost connection is opened again, and the end of the lab is shown', async (t) => {
    const { lab, open } = await serve(t)
    const { page } = await open()
    lab.disconnect()
    await page.waitForSelector('text=Connection lost')
    lab.connect()
    await page.waitForSelector('text=Live')
    lab.emit('end', { reason: 'vethlab down' })
    await page.waitForSelector('text=The lab has ended: vethlab down')
    t.ok(await page.isDisabled('text=Send'))
    t.ok(await page.isVisible('.topology svg'), 'the last state stays')
  })

  t.test('1,000 packets per second move nothing else', async (t) => {
    const { lab, open } = await serve(t)
    const { page, errors } = await open()
    await page.getByRole('tab', { name: 'Packets' }).click()
    await page.evaluate(watchFrames)
    const boxBefore = await page.locator('.requests, .request').boundingBox()
    for (let sent = 0; sent < 3000; sent += 50) {
      lab.emit('packets', { packets: Array.from({ length: 50 }, (_, at) => packetOf(sent + at)), left: 0 })
      await page.waitForTimeout(50)
    }
    await page.waitForSelector('text=3000 captured')
    const { gap, shift } = await page.evaluate<{ gap: number; shift: number }>('globalThis.watched')
    t.comment(`longest frame gap ${Math.round(gap)} ms, layout shift ${shift}`)
    t.strictSame(await page.locator('.requests, .request').boundingBox(), boxBefore)
    t.equal(await page.locator('.packet-list tbody tr').count(), 40)
    t.match(await page.textContent('.packet-list tbody tr'), 'packet 2999')
    t.strictSame(errors, [])
  })

  t.test('no violation of accessibility', async (t) => {
    const { lab, open } = await serve(t)
    const { page } = await open({ reducedMotion: 'reduce' })
    lab.emit('packets', { packets: [packetOf(1), packetOf(2)], left: 0 })
    await page.click('text=Send')
    await page.waitForSelector('.timeline')
    t.strictSame(await violations(page), [])
  })

  t.test('a narrow screen shows everything without scrolling sideways', async (t) => {
    const { open } = await serve(t)
    const { page } = await open({ width: 390 })
    await page.click('text=Send')
    await page.waitForSelector('.timeline')
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  })

  t.test('packets move from host to host as they are captured', async (t) => {
    const { lab, open } = await serve(t)
    const { page, errors } = await open()
    await page.evaluate(watchDots)
    const seen = ['client', 'node-a'].map((netns, at) => ({
      ...packetOf(1),
      ...{ netns, rewritten: at === 0 ? [] : (['destination'] as const) },
    }))
    lab.emit('packets', { packets: seen, left: 0 })
    await page.waitForFunction('globalThis.dots.length > 0')
    t.match(await page.evaluate('globalThis.dots'), [/^destination path/])
    await page.waitForSelector('.moving circle', { state: 'detached' })
    await page.getByLabel('Packets move').uncheck()
    lab.emit('packets', { packets: seen, left: 0 })
    await page.getByRole('tab', { name: 'Packets' }).click()
    await page.waitForSelector('text=4 captured')
    t.equal(await page.evaluate('globalThis.dots.length'), 1)
    t.strictSame(errors, [])
  })

  t.test('a link that goes down is drawn as down, until it is up again', async (t) => {
    const { lab, open } = await serve(t)
    const { page } = await open()
    lab.emit('lab', { ...recording.lab, downLinks: ['node-b'] })
    await page.waitForSelector('.link.down')
    t.match(await page.locator('.link.down title').allTextContents(), [/the link of node-b is down/])
    lab.emit('lab', recording.lab)
    await page.waitForSelector('.link.down', { state: 'detached' })
  })

  t.test('no control is cut, and a counter of five digits is in one line', async (t) => {
    const rule = { ...{ text: '-j ACCEPT', packets: 10_010, isOff: false }, id: '1' } satisfies LiveRule
    const chain = { table: 'nat', chain: 'PREROUTING', hook: 'prerouting' as const, rules: [rule] }
    const node = { node: 'node-a', family: 'IPv4', isLive: true, chains: [chain] } satisfies NodeRules
    const { open } = await serve(t, { ...recording, answers: { '/nodes/': node } })
    for (const width of [1440, 1024, 390]) {
      const { page } = await open({ width })
      await page.getByRole('tab', { name: 'Rules' }).click()
      const count = page.locator('.live-rule .count')
      await count.waitFor()
      t.ok(((await count.boundingBox())?.height ?? 100) < 25, `${width} px: one line`)
      t.strictSame(await page.evaluate(cutControls), [], `${width} px`)
    }
  })

  t.test('the next chain is asked before it is shown', async (t) => {
    const { open } = await serve(t)
    const { page, errors } = await open()
    await page.click('text=Send')
    await page.getByLabel('Ask for the next chain').check()
    await page.locator('.flow-place', { hasText: 'node-a' }).first().click()
    await page.locator('.dot', { hasText: 'nat' }).first().click()
    await page.waitForSelector('legend:has-text("after PREROUTING")')
    t.equal(await page.locator('.rules h3').count(), 0)
    await page.getByRole('button', { name: 'KUBE-NODEPORTS' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=not KUBE-NODEPORTS')
    t.equal(await page.locator('.rules h3').textContent(), 'PREROUTING')
    await page.keyboard.press('Tab')
    t.equal(await page.locator('.ask :focus').count(), 1, 'Tab reaches the next question')
    await page.getByRole('button', { name: 'KUBE-NODEPORTS' }).click()
    await page.waitForSelector('text=right: KUBE-NODEPORTS')
    await page.waitForSelector('text=1 of 2 right')
    await page.getByLabel('Ask for the next chain').uncheck()
    t.ok((await page.locator('.rules h3').count()) > 3)
    t.strictSame(errors, [])
  })

  t.test('panes that show nothing move nothing', async (t) => {
    const { open } = await serve(t)
    const { page } = await open()
    const boxes = async () => [
      await page.locator('.request').boundingBox(),
      await page.locator('.tabs').boundingBox(),
    ]
    const before = await boxes()
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      t.strictSame(await boxes(), before, (await tab.textContent()) ?? '')
    }
  })

  t.test('hostile texts of a lab stay texts in every pane', async (t) => {
    const hostile = '<img src=x onerror="document.title=1">'
    const { lab } = recording
    const rule: LiveRule = {
      ...{ id: '1', text: `-m comment --comment "${hostile}" -j ${hostile}`, explanation: hostile },
      ...{ object: hostile, owner: hostile, packets: 1, isOff: false },
    }
    const { open } = await serve(t, {
      lab,
      outcome: { ...recording.outcome, outcome: 'HTTP 500', passed: false, differences: [hostile] },
      answers: {
        '/nodes/': {
          ...{ node: hostile, family: 'IPv4', isLive: true },
          chains: [{ table: 'nat', chain: hostile, hook: 'prerouting', policy: hostile, rules: [rule] }],
        } satisfies NodeRules,
        '/places/': {
          ...{ netns: hostile, kind: 'node', name: hostile, interfaces: [], routes: [hostile] },
          addresses: [{ interface: hostile, address: hostile }],
          sockets: [{ protocol: hostile, local: hostile, peer: hostile, state: hostile, process: hostile }],
          conntrack: [
            {
              ...{ protocol: hostile, state: hostile, original: { source: hostile, destination: hostile } },
              reply: { source: hostile, destination: hostile },
            },
          ],
        } satisfies PlaceDetails,
        '/why': {
          findings: [
            {
              ...{ end: { reason: hostile }, share: 1, causes: [{ says: hostile }] },
              changes: [{ says: hostile, command: hostile, share: 1 }],
            },
          ],
          remarks: [],
        },
      },
    })
    const { page, errors } = await open()
    for (const name of ['Rules', 'Place']) {
      await page.getByRole('tab', { name }).click()
      await page.waitForSelector(`.pane >> text=${hostile}`, { state: 'attached' })
      t.equal(await page.locator('img').count(), 0, name)
    }
    await page.click('text=Send')
    await page.getByRole('tab', { name: 'Path' }).click()
    await page.waitForSelector(`.why-answer >> text=${hostile}`)
    t.equal(await page.locator('img').count(), 0, 'Why?')
    t.equal(await page.title(), 'vethlab')
    t.strictSame(errors, [])
  })

  t.test('hostile texts stay texts', async (t) => {
    const hostile = '</script><img src=x onerror="document.title=1">'
    const { lab, open } = await serve(t, {
      ...recording,
      lab: { ...recording.lab, lab: hostile, title: hostile },
    })
    const { page, errors } = await open()
    await page.getByRole('tab', { name: 'Packets' }).click()
    lab.emit('packets', { packets: [{ ...packetOf(1), summary: hostile, netns: hostile }], left: 0 })
    await page.waitForSelector('text=1 captured')
    t.match(await page.textContent('.packet-list tbody'), hostile)
    t.match(await page.textContent('.steps h1'), hostile)
    t.equal(await page.locator('img').count(), 0)
    t.strictSame(errors, [])
  })
})

function packetOf(number: number): LivePacket {
  return {
    ...{ time: number, netns: 'node-a', interface: 'eth0', direction: 'in', protocol: 'tcp', length: 60 },
    source: { address: '172.18.1.2', port: 40_000 },
    destination: { address: '10.244.1.2', port: 80 },
    ...{ summary: `packet ${number}`, packet: String(number), rewritten: ['destination'] },
  }
}

/** Runs in the page: the controls whose text or placeholder is wider than they are. */
const cutControls = `
  [...document.querySelectorAll('select, input[placeholder]')].flatMap((control) => {
    const text = control.placeholder ?? control.selectedOptions[0]?.text ?? ''
    const style = getComputedStyle(control)
    const context = document.createElement('canvas').getContext('2d')
    context.font = style.font
    const around = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight) + (control.placeholder ? 0 : 18)
    return context.measureText(text).width + around > control.clientWidth ? [text] : []
  })
`

/** Runs in the page: keeps the longest time between two animation frames (ms), and the sum of layout shifts. */
const watchFrames = `
  const watched = (globalThis.watched = { gap: 0, shift: 0 })
  let last = performance.now()
  const next = (now) => { watched.gap = Math.max(watched.gap, now - last); last = now; requestAnimationFrame(next) }
  requestAnimationFrame(next)
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) watched.shift += value })
    .observe({ type: 'layout-shift', buffered: false })
`

/** Runs in the page: keeps the class and the line of each packet that moves. */
const watchDots = `
  const dots = (globalThis.dots = [])
  new MutationObserver((list) => {
    for (const { addedNodes } of list)
      for (const dot of addedNodes) dots.push(dot.getAttribute('class') + ' ' + dot.style.offsetPath)
  }).observe(document.querySelector('.moving'), { childList: true })
`
