import { readFileSync } from 'node:fs'

type Environment = Readonly<Record<string, string | undefined>>

/** The user who called sudo. */
interface Caller {
  readonly uid: number
  readonly gid: number
  readonly home: string | undefined
}

/** The user who called sudo; undefined for root itself, and without sudo. */
export function sudoCaller(env: Environment = process.env): Caller | undefined {
  const [uid, gid] = [Number(env['SUDO_UID']), Number(env['SUDO_GID'])]
  if (process.getuid?.() !== 0 || !Number.isInteger(uid) || !Number.isInteger(gid) || uid === 0)
    return undefined
  return { uid, gid, home: env['SUDO_HOME'] ?? homeOf(uid) }
}

/**
 * Runs a function with the rights of the user who called sudo: files that it writes belong to that user, and paths that
 * the user cannot write fail. The function must be synchronous, because the rights apply to the whole process.
 */
export function asCaller<Result>(caller: Caller | undefined, act: () => Result): Result {
  if (caller === undefined) return act()
  const groups = process.getgroups?.() ?? []
  process.setgroups?.([caller.gid])
  process.setegid?.(caller.gid)
  process.seteuid?.(caller.uid)
  try {
    return act()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
    process.setgroups?.(groups)
  }
}

/** passwd(5): name, password, uid, gid, comment, home, shell. */
function homeOf(uid: number): string | undefined {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
    return lines.map((line) => line.split(':')).find((fields) => fields[2] === String(uid))?.[5]
  } catch {
    return undefined
  }
}
