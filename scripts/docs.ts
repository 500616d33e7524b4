// Writes the files of docs/ that are generated from the sources: cli.md, causes.md, kube-proxy-versions.md, lab-reference.md, the JSON Schemas of lab.yaml
// and exercise.yaml, and in schema/ those of what commands print with --json.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles, schemaFiles } from './docs/generatedFiles.js'

for (const { path, text } of [...(await generatedFiles()), ...(await schemaFiles())]) {
  const file = join(import.meta.dirname, '..', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
