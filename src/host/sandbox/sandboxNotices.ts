import { lstatSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { LabLimits } from '../groups/labGroup.js'
import type { Sandbox } from './sandbox.js'

/** How many files of a lab are looked at; a lab can be in a folder with many others. */
const mostFiles = 1000

/** What vethlab itself reads, with the rights of its caller. */
const readByVethlab = /\.(ya?ml|md)$/

/** What a user may not expect of a sandbox, one line each; `folder` is the lab's. */
export function sandboxNotices(
  { owner, weakness }: Pick<Sandbox, 'owner' | 'weakness'>,
  folder: string,
): string[] {
  if (weakness !== undefined) return [`the root of this lab is the root of the host: ${weakness}`]
  if (owner === process.getuid?.()) return []
  const closed = unreadable(folder, { left: mostFiles })
  if (closed === undefined) return []
  const name = relative(folder, closed) || '.'
  return [
    `programs of this lab cannot read its file ${name}: root's labs run as an unprivileged user; \`chmod -R a+rX ${folder}\` permits it`,
  ]
}

/** What happened to processes of a lab that reached a limit, one line each. */
export function limitNotices({ memory, tasks }: LabLimits): string[] {
  const remedy = '`limits:` in lab.yaml raises it'
  return [
    ...(memory === undefined
      ? []
      : [
          `a process of the lab was ended because the lab reached its limit of memory (${sizeText(memory)}); ${remedy}`,
        ]),
    ...(tasks === undefined
      ? []
      : [
          `a process of the lab could not be started because the lab reached its limit of tasks, which are processes and threads (${tasks}); ${remedy}`,
        ]),
  ]
}

function sizeText(bytes: number): string {
  const gib = bytes / 2 ** 30
  return Number.isInteger(gib) ? `${gib} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`
}

/** The first file or folder at a path that not every user can read. */
function unreadable(path: string, seen: { left: number }): string | undefined {
  seen.left -= 1
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined || seen.left < 0) return undefined
  if (!stats.isDirectory())
    return (stats.mode & 0o004) === 0 && stats.isFile() && !readByVethlab.test(path) ? path : undefined
  if ((stats.mode & 0o005) !== 0o005) return path
  for (const name of readdirSync(path)) {
    const found = unreadable(join(path, name), seen)
    if (found !== undefined) return found
  }
  return undefined
}
