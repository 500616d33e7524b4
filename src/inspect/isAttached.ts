import { exists, isFolder } from '../host/paths.js'

/** Whether a word names a file, a folder without lab.yaml, or standard input (`-`), and not a lab. */
export function isAttached(word: string): boolean {
  if (word === '-' || word.endsWith('.json')) return true
  if (!exists(word)) return false
  return !isFolder(word) || (/[\\/]/.test(word) && !exists(`${word}/lab.yaml`))
}
