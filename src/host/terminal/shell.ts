import { findTool } from '../environment.js'

/** The arguments of an interactive shell without the files of a user: bash if the host has it, or sh. */
export function interactiveShell(): string[] {
  const bash = findTool('bash')
  return bash === undefined ? ['sh'] : [bash, '--norc', '--noprofile']
}
