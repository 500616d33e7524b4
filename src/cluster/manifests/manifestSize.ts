import { InputError } from '../../errors.js'
import type { ManifestFile } from './manifestFile.js'

/** Parsing needs about a hundred times the size of the text in memory. */
const maxCharacters = 16 * 1024 * 1024

/** Maximum number of objects in all manifests; items of a List count separately. */
export const maxObjects = 30_000

/** Throws InputError for files that are too large to parse. */
export function refuseTooLarge(files: readonly ManifestFile[]): void {
  let characters = 0
  let documents = 0
  for (const { path, text } of files) {
    characters += text.length
    const at = { file: path, line: 1, column: 1 }
    if (characters > maxCharacters)
      throw new InputError([{ message: 'the manifests hold more than 16 MiB in all', at }])
    documents += documentsIn(text)
    if (documents > maxObjects) throw new InputError([{ message: tooManyObjects, at }])
  }
}

export const tooManyObjects = `the manifests hold more than ${maxObjects} objects in all`

/** An upper limit of the number of documents: every line that begins with `---` is a boundary (YAML 1.2.2, 9.1.2). */
function documentsIn(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n---'); at !== -1; at = text.indexOf('\n---', at + 1)) count++
  return count
}
