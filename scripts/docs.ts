// Writes the files of docs/ that are generated from the sources: cli.md, causes.md, kube-proxy-versions.md, lab-reference.md, the JSON Schemas of lab.yaml
// and exercise.yaml, and in schema/ those of what commands print with --json. With --check prints which of them are not up to date, and
// writes none.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles, schemaFiles } from './docs/generatedFiles.js'

const root = join(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')
const files = [...(await generatedFiles()), ...(await schemaFiles())]
for (const { path, text } of files) {
  const file = join(root, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  report(path)
  if (isCheck) continue
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const paths = files.map(({ path }) => path)
for (const path of readdirSync(join(root, 'docs/schema')).map((name) => `docs/schema/${name}`)) {
  if (paths.includes(path)) continue
  report(path)
  if (!isCheck) rmSync(join(root, path))
}

function report(path: string): void {
  if (!isCheck) return
  process.stdout.write(`${path} is not up to date (npm run docs)\n`)
  process.exitCode = 1
}
