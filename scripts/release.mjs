#!/usr/bin/env node
// `node scripts/release.mjs PACKAGE.tgz URL HOMEPAGE FOLDER` writes the manifest for Krew and the formula for Homebrew of a package that
// can be downloaded from the URL.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const templates = fileURLToPath(new URL('release', import.meta.url))
const [, , file, url, homepage, folder] = process.argv
if (folder === undefined) {
  process.stderr.write('Usage: node scripts/release.mjs PACKAGE.tgz URL HOMEPAGE FOLDER\n')
  process.exit(2)
}
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
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
