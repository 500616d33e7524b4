// Writes the files of docs/ that are generated from the sources: cli.md, causes.md, kube-proxy-versions.md, lab-reference.md, and the JSON Schemas of lab.yaml
// and exercise.yaml.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles } from './docs/generatedFiles.js'

for (const { path, text } of await generatedFiles())
  writeFileSync(join(import.meta.dirname, '..', path), text)
