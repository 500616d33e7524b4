import type { Sandbox } from './sandbox.js'

/** What is to be known of a lab whose root is the host's: a line, or nothing. */
export function weaknessNotice({ weakness }: Pick<Sandbox, 'weakness'>): string[] {
  return weakness === undefined ? [] : [`the root of this lab is the root of the host: ${weakness}`]
}
