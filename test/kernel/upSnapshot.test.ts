import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { cannotRun } from './ability.js'
import { vethlab } from './commandLine.js'

const bundle = resolve('test/golden/bundles/troubleshoot-etp-local/bundle')
const json = (text: string) => JSON.parse(text) as { pod?: string; client?: string; server?: string }

t.test('the cluster of a bundle runs with its addresses, and fails alike', { skip: cannotRun }, async (t) => {
  const cwd = t.testdir({})
  const up = await vethlab(['up', bundle, '--service', 'shop/web', '--out', 'shop-of-bundle'], { cwd })
  t.equal(up.code, 0, up.stderr)
  t.teardown(() => vethlab(['down', 'shop-of-bundle', '--force']))
  const curl = (url: string) =>
    vethlab(['exec', 'shop-of-bundle', 'outside', '--', 'curl', '-s', '--max-time', '30', url], { cwd })
  const answered = json((await curl('http://192.168.50.12:31380/')).stdout)
  t.match(answered, { server: '10.32.1.4:8080', client: /^203\.0\.113\.9:/ })
  const why = await vethlab(['why', 'shop-of-bundle', 'outside', 'http://192.168.50.11:31380/', '--json'], {
    cwd,
  })
  t.match(why.stdout, /"code": "external-policy-local"/)
  t.equal(why.code, 1)
  // what is written once is not written over
  const again = await vethlab(['up', bundle, '--out', 'shop-of-bundle'], { cwd })
  t.match(again, { code: 2, stderr: /shop-of-bundle is not empty: nothing was written/ })
})

t.test('a reduced lab passes: its request fails as in the cluster', { skip: cannotRun }, async (t) => {
  const cwd = t.testdir({})
  const keep = 'why pod/default/web-frontend-6686d6ccd5-f9vgc 10.96.153.225:80 fails'
  const from = resolve('test/golden/bundles/paste-selector/bundle')
  const reduced = await vethlab(['reduce', from, '--keep', keep, '--out', 'small'], { cwd })
  t.match(reduced.stdout, /^2 of 10 objects are enough: the request still fails by selector-matches-nothing/)
  t.equal(reduced.code, 0, reduced.stderr)
  const lab = parse(readFileSync(join(cwd, 'small/lab.yaml'), 'utf8')) as { steps: { expect: object }[] }
  t.strictSame(lab.steps[0]?.expect, { fails: 'refused' })
  const run = await vethlab(['run', './small'], { cwd })
  t.equal(run.code, 0, run.stdout + run.stderr)
})

t.test('a question that is none is refused', async (t) => {
  const cwd = t.testdir({})
  for (const keep of [
    'client http://x/ fails',
    'why client',
    'why client http://x/ passes',
    'why a b fails --tcp',
  ])
    t.match(await vethlab(['reduce', bundle, '--keep', keep], { cwd }), {
      code: 2,
      stderr: /It must be a question that fails/,
    })
})
