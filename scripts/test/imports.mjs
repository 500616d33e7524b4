import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeFolder, outputOf } from './compile.mjs'

/** Imports of compiled files: types are gone, and esbuild writes one form. */
const importedFile = /^(?:import|export) (?:[^'"]*? from )?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm

/**
 * The files that a test loads, itself included, as paths of compiled files in the layout of the checkout.
 * @param {string} root the checkout
 * @param {string} test its name, such as `netfilter/save`
 * @param {Map<string, string[]>} [known] imports by file, for calls that follow
 * @returns {Set<string>}
 */
export function loadedBy(root, test, known = new Map()) {
  const loaded = new Set()
  const add = (path) => {
    if (loaded.has(path)) return
    loaded.add(path)
    if (!known.has(path)) known.set(path, importsOf(root, path))
    known.get(path).forEach(add)
  }
  add(outputOf(`test/${test}.test.ts`))
  return loaded
}

function importsOf(root, path) {
  let text
  try {
    text = readFileSync(join(root, codeFolder, path), 'utf8')
  } catch (error) {
    // a style sheet, say, which only a bundle has
    if (error.code === 'ENOENT') return []
    throw error
  }
  const imported = [...text.matchAll(importedFile)].map(([, one, other]) => join(dirname(path), one ?? other))
  // the tap that tests share is not compiled
  return imported.filter((file) => !file.startsWith('..'))
}
