import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'

const url = 'https://example.com/vethlab-1.2.3.tgz'
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** What the script makes of a package with one program; `out` is its folder. */
function release(t: Test) {
  const folder = t.testdir({ package: { dist: { 'cli.cjs': '#!/bin/sh\necho started\n' } } })
  chmodSync(join(folder, 'package/dist/cli.cjs'), 0o755)
  const file = join(folder, 'vethlab.tgz')
  execFileSync('tar', ['-czf', file, '-C', folder, 'package'])
  const out = join(folder, 'out')
  const args = ['scripts/release.mjs', file, url, 'https://example.com/vethlab', out]
  t.match(spawnSync(process.execPath, args, { encoding: 'utf8' }), { status: 0 })
  return { folder, file, out }
}

t.test('a manifest for Krew and a formula for Homebrew name the package of a release', (t) => {
  const { file, out } = release(t)
  const [krew = '', formula = ''] = ['krew.yaml', 'vethlab.rb'].map((name) =>
    readFileSync(join(out, name), 'utf8'),
  )
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
  t.match(parse(krew), {
    kind: 'Plugin',
    metadata: { name: 'vethlab' },
    spec: { version: `v${version}`, platforms: [{ uri: url, sha256, bin: 'dist/cli.cjs' }] },
  })
  t.match(formula, `url "${url}"\n  sha256 "${sha256}"\n`)
  for (const text of [krew, formula]) t.notMatch(text, /\{\{|undefined/)
  t.equal(spawnSync(process.execPath, ['scripts/release.mjs', file]).status, 2)
  t.end()
})

const noDpkg = spawnSync('dpkg-deb', ['--version']).status !== 0 && 'missing here: dpkg-deb'

t.test('a Debian package has the same files, both commands, and the tools', { skip: noDpkg }, (t) => {
  const { folder, out } = release(t)
  const deb = join(out, `vethlab_${version}_all.deb`)
  const field = (name: string) => execFileSync('dpkg-deb', ['--field', deb, name], { encoding: 'utf8' })
  t.equal(field('Version').trim(), version)
  t.match(field('Depends'), /^nodejs \(>= 20\.19\), iproute2, .*iptables, .*tcpdump/)
  t.match(field('Recommends'), /ipset/)
  t.notMatch(field('Description'), /undefined/)
  execFileSync('dpkg-deb', ['--extract', deb, join(folder, 'root')])
  for (const name of ['vethlab', 'kubectl-vethlab'])
    t.equal(execFileSync(join(folder, 'root/usr/bin', name), { encoding: 'utf8' }), 'started\n')
  const listed = execFileSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8' }).trim().split('\n')
  t.same(
    listed.filter((line) => !/^[d-]rw[x-]r-[x-]r-[x-] root\/root |^l/.test(line)),
    [],
    'root owns all',
  )
  t.end()
})

t.test('the changelog has the version', async (t) => {
  t.match(readFileSync('CHANGELOG.md', 'utf8'), `\n## ${version}\n`)
})
