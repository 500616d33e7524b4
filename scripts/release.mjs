#!/usr/bin/env node
// `node scripts/release.mjs PACKAGE.tgz URL HOMEPAGE FOLDER` writes the manifest for Krew and the formula for Homebrew of a package that
// can be downloaded from the URL, and a Debian package with the same files, where dpkg-deb and tar are installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readRequirements } from './setup/requirements.mjs'

const templates = fileURLToPath(new URL('release', import.meta.url))
const [, , file, url, homepage, folder] = process.argv
if (folder === undefined) {
  process.stderr.write('Usage: node scripts/release.mjs PACKAGE.tgz URL HOMEPAGE FOLDER\n')
  process.exit(2)
}
const { version, description, bin } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)
const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
const values = { version, url, homepage, sha256 }
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(templates)) {
  const text = readFileSync(join(templates, name), 'utf8')
  writeFileSync(
    join(folder, name),
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, key) => values[key]),
  )
}
if (spawnSync('dpkg-deb', ['--version']).status === 0) writeDebianPackage()
else process.stderr.write('no Debian package: dpkg-deb is missing\n')

function writeDebianPackage() {
  const root = mkdtempSync(join(tmpdir(), 'vethlab-deb-'))
  try {
    const own = join(root, 'usr/lib/vethlab')
    for (const name of [own, join(root, 'usr/bin'), join(root, 'DEBIAN')])
      mkdirSync(name, { recursive: true })
    run('tar', [
      '--extract',
      '--file',
      resolve(file),
      '--directory',
      own,
      '--strip-components=1',
      '--no-same-owner',
    ])
    for (const [name, path] of Object.entries(bin))
      symlinkSync(`../lib/vethlab/${path}`, join(root, 'usr/bin', name))
    writeFileSync(join(root, 'DEBIAN/control'), controlFile())
    run('chmod', ['-R', 'u=rwX,go=rX', root])
    run('dpkg-deb', ['--root-owner-group', '--build', root, folder])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** See deb-control(5). Node of the oldest supported line; tools that only some labs need are recommended. */
function controlFile() {
  const { node, tools } = readRequirements()
  const [oldest] = node
  const packages = (required) =>
    [...new Set(tools.filter((tool) => tool.required === required).map((tool) => tool.package))].join(', ')
  return `Package: vethlab
Version: ${version}
Architecture: all
Section: net
Priority: optional
Maintainer: the developers of vethlab <${homepage}>
Homepage: ${homepage}
Depends: nodejs (>= ${oldest.join('.')}), ${packages(true)}
Recommends: ${packages(false)}
Description: ${description.split(':')[0]}
${description.split(': ').slice(1).join(': ').replace(/^/, ' ')}
`
}

function run(program, args) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
}
