import { notExecutable } from './executable.js'
import { findTool } from './environment.js'

/** Whether this host has programs, as containers see them: an absolute path, or a name on the PATH. Answers are kept. */
export function hostPrograms(): (program: string) => boolean {
  const known = new Map<string, boolean>()
  return (program) => {
    const before = known.get(program)
    if (before !== undefined) return before
    const exists = program.includes('/')
      ? notExecutable(program) === undefined
      : findTool(program) !== undefined
    known.set(program, exists)
    return exists
  }
}
