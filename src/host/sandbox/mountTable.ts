import { randomUUID } from 'node:crypto'
import { writable, type Covers } from './covers.js'

/**
 * The mounts of a sandbox as fstab(5): what it can see, as `/run/shown/1` and so on, then the folders that are empty in it.
 * The name of their file systems is unique: mount(8) would skip one that is already mounted there, in a sandbox in a sandbox.
 */
export function mountTable({ covered, shown }: Covers): string {
  const name = `vethlab-${randomUUID()}`
  const lines = [
    ...shown.map((path, index) => `${escaped(path)} /run/shown/${index + 1} none bind,X-mount.mkdir 0 0`),
    ...covered.map(
      (folder) => `${name} ${escaped(folder)} tmpfs mode=${writable.includes(folder) ? '1777' : '755'} 0 0`,
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** fstab(5) separates fields with white space; these characters are written as octal numbers. */
function escaped(path: string): string {
  return path.replace(
    /[ \t\n\\#]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
}
