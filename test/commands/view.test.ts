import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { start } from '../kernel/commandLine.js'
import { browse } from '../kernel/viewLab.js'

const bundle = 'test/golden/bundles/dump-target-port/bundle'

t.test('the page of an attached cluster is served until a signal', async (t) => {
  const view = start(['view', bundle])
  const [url = ''] = /http:\S+/.exec(await view.says('Ctrl-C ends the server')) ?? []
  const browser = await browse(url)
  const lab = (await (await browser.call('/lab')).json()) as { findings?: { says: string }[] }
  t.match(lab.findings, [{ says: /declares tcp port 8080/ }])
  const request = { from: 'outside', to: '10.43.119.155:80', protocol: 'tcp', predict: true }
  t.match(await (await browser.call('/requests', request)).json(), { result: { paths: [] } })
  t.equal((await browser.call('/requests', { ...request, predict: false })).status, 400)
  t.equal((await browser.call('/kubernetes/api/v1/pods')).status, 404)
  view.kill('SIGINT')
  t.equal((await view.ended).code, 130)
  t.ok(await browser.ended, 'the browser gets the end')
})

t.test('the same in one file, where no port is used', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-view-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'cluster.html')
  const { code, stdout } = await start(['view', bundle, '--html', file]).ended
  t.match([code, stdout], [0, ''])
  t.match(readFileSync(file, 'utf8'), /<title>[^<]*bundle/)
  t.match(await start(['view', bundle, '--html', file, '--port', '1']).ended, { code: 2 })
})
