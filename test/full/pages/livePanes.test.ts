import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import t from 'tap'
import { until } from '../../until.js'
import { readPcapng } from '../../packets/readPcapng.js'
import { launch, noBrowser, violations } from './browser.js'
import { choose, pageOf, send, showPane, startCopy } from './paneActions.js'

t.test('the panes of the page of a running lab', { skip: noBrowser }, async (t) => {
  const browser = await launch()
  t.teardown(() => browser.close())
  const lab = await startCopy(t)
  const { page, errors } = await pageOf(t, browser, lab)
  await choose(page, /^From/, 'client')

  await t.test('a place: addresses, routes, sockets, and connections as NAT changed them', async (t) => {
    t.match(await send(page, '{node-a}:30080'), 'HTTP 200')
    await page.locator('.box.node', { hasText: 'node-a' }).focus()
    await page.keyboard.press('Enter')
    await showPane(page, 'Place')
    const region = (name: string): Locator => page.getByRole('region', { name, exact: true })
    await region('Addresses').getByText('172.18.0.2/16').waitFor()
    await region('Routes').getByText('10.244.2.0/24 via 172.18.0.3 dev eth0').waitFor()
    await region('Connection tracking').getByText('172.18.0.2:30080').first().waitFor()
    t.match(
      await region('Connection tracking').locator('.destination').first().textContent(),
      /^10\.244\.[12]\.\d+:80$/,
    )
    await page.getByRole('combobox', { name: /^Place/ }).selectOption({ index: 0 })
    t.strictSame(await violations(page), [])
  })

  await t.test(
    'rules: counters move, and a rule that is switched off is missing in the kernel',
    async (t) => {
      await showPane(page, 'Rules')
      await choose(page, /^Node/, 'node-a')
      const dnat = page.locator('section[aria-label="nat KUBE-SERVICES"] .live-rule', { hasText: 'LOCAL' })
      await dnat.waitFor()
      const packets = async () => Number(/\d+/.exec((await dnat.locator('.count').textContent()) ?? '')?.[0])
      const before = await packets()
      t.match(await send(page, '{node-a}:30080'), 'HTTP 200')
      await showPane(page, 'Rules')
      t.ok(await until(async () => (await packets()) > before), 'its counter moved')
      await dnat.getByRole('switch').click()
      await dnat.getByText('Off', { exact: true }).waitFor()
      t.match(await send(page, '{node-a}:30080'), 'refused')
      await showPane(page, 'Path')
      await page.getByText('What would help').waitFor()
      await showPane(page, 'Rules')
      await dnat.getByRole('switch').click()
      await dnat.getByText('On', { exact: true }).waitFor()
      t.match(await send(page, '{node-a}:30080'), 'HTTP 200')
      await showPane(page, 'Rules')
      const all = await page.locator('.live-rule').count()
      await page.getByRole('searchbox', { name: 'Search' }).fill('masquerade')
      await page.waitForFunction(`document.querySelectorAll('.live-rule').length < ${all}`)
      t.ok((await page.locator('.live-rule').count()) > 0)
      await page.getByRole('searchbox', { name: 'Search' }).fill('')
      await choose(page, /^Compare with/, 'nftables')
      await page.getByText('nftables, as kube-proxy would write them').waitFor()
      t.strictSame(await violations(page), [])
    },
  )

  await t.test('the address opens a pane with a place', async (t) => {
    await page.evaluate("location.hash = '#place/node-b'")
    await page.getByRole('region', { name: 'Addresses' }).getByText('172.18.0.3/16').waitFor()
    await page.evaluate("location.hash = '#rules/node-a'")
    await page.getByRole('heading', { name: /^iptables on node-a, in the kernel/ }).waitFor()
    t.equal(await page.getByRole('tab', { selected: true }).textContent(), 'Rules')
  })

  await t.test('packets of a link are listed and saved', async (t) => {
    await showPane(page, 'Packets')
    await choose(page, /^Link/, 'node-a eth0')
    await page.locator('.packet-list tbody tr').first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save packets' }).click(),
    ])
    const { packets, interfaces } = readPcapng(readFileSync(await download.path()))
    t.ok(packets.length > 0)
    t.match(interfaces, [{ name: /node-a/ }])
    t.strictSame(await violations(page), [])
  })

  await t.test(
    'a terminal runs a shell in a place, is as large as its room, and is left by F6',
    async (t) => {
      await showPane(page, 'Terminal')
      await choose(page, /^Place/, 'node-a')
      await page.getByRole('button', { name: 'Open a shell' }).click()
      await page.getByRole('textbox', { name: 'terminal of node-a' }).waitFor()
      t.strictSame(await violations(page), [])
      const own = await pageOf(t, browser, lab, [], { keepsPolicy: true })
      const { page: shown } = own
      await showPane(shown, 'Terminal')
      await choose(shown, /^Place/, 'client')
      await shown.getByRole('button', { name: 'Open a shell' }).click()
      await shown.locator('[aria-label="terminal of client"]:focus').waitFor({ state: 'attached' })
      const prints = (text: RegExp) =>
        until(async () =>
          text.test((await shown.locator('.xterm-rows').innerText()).replaceAll('\u00a0', ' ')),
        )
      await shown.keyboard.type('ip -br -4 addr show eth0; echo "<b>$((40 + 2))</b>"\n')
      t.ok(await prints(/172\.18\.1\.2\/16/))
      t.ok(await prints(/^<b>42<\/b>$/m))
      t.equal(await shown.locator('.xterm-rows b').count(), 0)
      const rows = () => shown.locator('.xterm-rows > div').count()
      const before = await rows()
      await shown.setViewportSize({ width: 1200, height: 700 })
      t.ok(await until(async () => (await rows()) < before))
      const size = new RegExp(`^${await rows()} \\d+$`, 'm')
      // what is typed may come before the size
      const knowsSize = async () => {
        await shown.keyboard.type('stty size\n')
        await shown.waitForTimeout(200)
        return size.test(await shown.locator('.xterm-rows').innerText())
      }
      t.ok(await until(knowsSize), String(size))
      await shown.keyboard.press('F6')
      await shown.locator('.terminal select:focus').waitFor()
      await showPane(shown, 'Path')
      await showPane(shown, 'Terminal')
      t.ok(await prints(/^<b>42<\/b>$/m), 'it is still there after another pane was shown')
      await shown.getByRole('button', { name: 'Close' }).click()
      await shown.waitForSelector('text=the shell has ended')
      t.strictSame(own.errors, [])
    },
  )

  await t.test('objects are validated, saved, scaled, created and deleted', async (t) => {
    await showPane(page, 'Objects')
    await page.getByRole('button', { name: 'my-nodeport-service' }).click()
    const editor = page.getByRole('textbox', { name: 'Service default/my-nodeport-service in YAML' })
    await page.waitForFunction(`document.querySelector('.cm-content')?.innerText.includes('nodePort: 30080')`)
    const text = await editor.innerText()
    t.notMatch(text, 'managedFields')
    await editor.fill(text.replace('port: 80', 'port: 800000'))
    await page.getByRole('button', { name: 'Check' }).click()
    t.equal(
      await page.locator('.editor [role=alert]').textContent(),
      'Service "my-nodeport-service" is invalid: spec.ports[0].port: Invalid value: 800000: must be between 1 and 65535, inclusive',
    )
    await editor.fill(text.replace('nodePort: 30080', 'nodePort: 30081'))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    t.match(await send(page, '{node-a}:30081'), 'HTTP 200')

    await showPane(page, 'Objects')
    await choose(page, /^Kind/, 'Deployment')
    await page.getByRole('button', { name: 'my-app', exact: true }).click()
    await page.getByRole('spinbutton', { name: 'Replicas' }).fill('3')
    await page.getByRole('button', { name: 'Scale', exact: true }).click()
    await page.getByText('Scaled to 3.').waitFor()
    await page.getByRole('cell', { name: '3/3' }).waitFor()
    await page.getByRole('textbox', { name: 'Label' }).fill('tier=web')
    await page.getByRole('button', { name: 'Label', exact: true }).click()
    await page.getByText('Label tier=web is set.').waitFor()
    t.match(await page.locator('.cm-content').innerText(), 'tier: web')

    await choose(page, /^Kind/, 'ConfigMap')
    await page.getByRole('button', { name: 'New ConfigMap' }).click()
    const hostile = '<img src=x onerror="document.title=1">'
    const created = page.getByRole('textbox', { name: 'New ConfigMap in YAML' })
    await created.fill('# ')
    // several keys within one frame
    await page.evaluate(`(async () => {
      for (const key of 'all of it') {
        document.execCommand('insertText', false, key)
        await new Promise((resolve) => setTimeout(resolve))
      }
    })()`)
    t.match(await created.innerText(), '# all of it', 'fast typing loses no key')
    await created.fill(
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: made }\ndata: { text: '${hostile}' }\n`,
    )
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('textbox', { name: 'ConfigMap default/made in YAML' }).waitFor()
    await page.waitForFunction(`document.querySelector('.cm-content')?.innerText.includes('onerror')`)
    t.equal(await page.locator('img').count(), 0)
    t.strictSame(await violations(page), [])
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete made' }).click()
    await page.getByRole('button', { name: 'made', exact: true }).waitFor({ state: 'detached' })
  })

  t.strictSame(
    errors.filter((text) => !text.includes('422')),
    [],
    'the scripts of the page had no error, and the server refused only what is invalid',
  )

  await t.test('a page that may not change the lab shows no way to', async (t) => {
    const other = await pageOf(t, browser, lab, ['--read-only'])
    await showPane(other.page, 'Objects')
    await other.page.getByRole('button', { name: 'my-nodeport-service' }).click()
    await other.page.waitForFunction(`document.querySelector('.cm-content')?.innerText.includes('nodePort')`)
    t.equal(await other.page.locator('.cm-content').getAttribute('aria-readonly'), 'true')
    t.strictSame(await other.page.locator('.objects button.plain').allTextContents(), ['Reload'])
    await showPane(other.page, 'Rules')
    await other.page.locator('.live-rule').first().waitFor()
    t.equal(await other.page.getByRole('switch').count(), 0)
    t.strictSame(other.errors, [])
  })
})

t.test('the page of files has what is wrong, and a request that fails', { skip: noBrowser }, async (t) => {
  const browser = await launch()
  t.teardown(() => browser.close())
  const { page, errors } = await pageOf(t, browser, 'test/golden/bundles/dump-target-port/bundle')
  t.match(await page.textContent('body'), 'Read from files: nothing runs')
  t.strictSame(await violations(page), [], 'findings')
  await page.getByRole('button', { name: 'Show a request that fails' }).first().click()
  await page.waitForSelector('.verdict.bad')
  t.strictSame(await violations(page), [], 'a request')
  await page.emulateMedia({ media: 'print' })
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  t.equal(await page.locator('.topology .path.passed').first().isVisible(), true, 'paper has its path')
  await page.evaluate("dispatchEvent(new Event('afterprint'))")
  await page.emulateMedia({ media: 'screen' })
  for (const pane of ['Rules', 'Place']) {
    await showPane(page, pane)
    t.strictSame(await violations(page), [], pane)
  }
  t.strictSame(errors, [])
})
