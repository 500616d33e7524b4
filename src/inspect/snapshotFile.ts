import { hostPrograms } from '../host/programs.js'
import { readText } from '../host/readText.js'
import type { Snapshot } from '../snapshot/model/snapshot.js'
import { readSnapshotText } from '../snapshot/file/snapshotText.js'

/** Whether a word names a file, or standard input, and not a lab. */
export function isSnapshotFile(word: string): boolean {
  return word === '-' || word.endsWith('.json')
}

/** Reads a snapshot from a file, or standard input for `-`. Throws InputError. */
export function readSnapshotFile(path: string): Snapshot {
  return readSnapshotText(path === '-' ? 'standard input' : path, readText(path), hostPrograms())
}
