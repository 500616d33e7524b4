import type { Sandbox } from './sandbox.js'

/** The notice for a lab whose root is the host's: one line, or none. */
export function weaknessNotice({ weakness }: Pick<Sandbox, 'weakness'>): string[] {
  return weakness === undefined ? [] : [`the root of this lab is the root of the host: ${weakness}`]
}
