import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'

t.test('a manifest for Krew and a formula for Homebrew name the package of a release', async (t) => {
  const folder = t.testdir()
  const file = join(folder, 'vethlab.tgz')
  writeFileSync(file, 'the package')
  const url = 'https://example.com/vethlab-1.2.3.tgz'
  const args = ['scripts/release.mjs', file, url, 'https://example.com/vethlab', join(folder, 'out')]
  t.equal(spawnSync(process.execPath, args).status, 0)
  t.strictSame(readdirSync(join(folder, 'out')).sort(), ['krew.yaml', 'vethlab.rb'])
  const [krew = '', formula = ''] = ['krew.yaml', 'vethlab.rb'].map((name) =>
    readFileSync(join(folder, 'out', name), 'utf8'),
  )
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const sha256 = createHash('sha256').update('the package').digest('hex')
  t.match(parse(krew), {
    kind: 'Plugin',
    metadata: { name: 'vethlab' },
    spec: { version: `v${version}`, platforms: [{ uri: url, sha256, bin: 'dist/cli.cjs' }] },
  })
  t.match(formula, `url "${url}"\n  sha256 "${sha256}"\n`)
  for (const text of [krew, formula]) t.notMatch(text, /\{\{|undefined/)
  t.equal(spawnSync(process.execPath, ['scripts/release.mjs', file]).status, 2)
})
