import { SandboxError } from '../../errors.js'
import type { SandboxFile } from '../../topology/types.js'
import type { Sandbox } from './sandbox.js'

/** Replaces files of a sandbox, each atomically. Throws a SandboxError that names `what`. */
export function replaceInside(
  { inside }: Pick<Sandbox, 'inside'>,
  files: readonly SandboxFile[],
  what: string,
): void {
  try {
    for (const { path, text } of files) inside.replace(path, text)
  } catch (error) {
    throw new SandboxError(`cannot write ${what}`, error)
  }
}
