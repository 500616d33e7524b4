// `npm run soak -- corpora <folder>… [--print]`, called by soak.ts: plans each manifest of public repositories in a lab of
// its own. Counts those that are accepted; with --print the reasons of the others, one line per file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { InputError } from '../src/errors.js'
import { prepareLab } from '../src/lab/plan/prepareLab.js'

/** Returns the exit code: 0 if each manifest was accepted or rejected for its content, 2 without a folder. */
export function soakCorpora(args: readonly string[]): number {
  const folders = args.filter((arg) => arg !== '--print')
  if (folders.length === 0 || folders.some((folder) => folder.startsWith('-'))) {
    process.stderr.write('soak: usage: npm run soak -- corpora <folder>… [--print]\n')
    return 2
  }
  const lab = mkdtempSync(join(tmpdir(), 'vethlab-corpora-'))
  let failed = false
  try {
    for (const folder of folders) {
      const files = manifestsIn(folder)
      let accepted = 0
      for (const file of files) {
        const outcome = plan(lab, file)
        if (outcome === undefined) accepted++
        else if (args.includes('--print') || outcome.isBug)
          process.stdout.write(`${relative(folder, file)}: ${outcome.reason}\n`)
        if (outcome?.isBug === true) failed = true
      }
      process.stdout.write(`${folder}: ${accepted} of ${files.length} manifests accepted\n`)
    }
  } finally {
    rmSync(lab, { recursive: true })
  }
  return failed ? 1 : 0
}

/** YAML files with a line that starts with `apiVersion:`, as in an object at the top of a document. */
function manifestsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/.git/') && /^apiVersion:/m.test(readFileSync(path, 'utf8')))
    .sort()
}

/** Why the lab with this manifest is rejected; undefined if it is not. */
function plan(lab: string, manifest: string): { reason: string; isBug: boolean } | undefined {
  writeFileSync(join(lab, 'manifest.yaml'), readFileSync(manifest))
  writeFileSync(join(lab, 'lab.yaml'), 'topology: { nodes: [node-a, node-b] }\nmanifests: [manifest.yaml]\n')
  try {
    prepareLab(lab)
    return undefined
  } catch (error) {
    const isBug = !(error instanceof InputError)
    const text = error instanceof Error ? error.message : String(error)
    return { reason: text.replaceAll(`${lab}/`, '').replaceAll('\n', ' '), isBug }
  }
}
