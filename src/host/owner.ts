import { InputError } from '../errors.js'

/** The variable that names the owner of the labs that a command finds and starts. */
export const ownerVariable = 'VETHLAB_AS'

/** Why a text is no name of an owner; undefined if it is one: a DNS label. */
export function ownerProblem(name: string): string | undefined {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)
    ? undefined
    : 'must be lower case letters, digits and "-", at most 63, and begin and end with a letter or digit'
}

/** The owner that VETHLAB_AS names; empty for labs without an owner. Throws InputError. */
export function callerOwner(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const name = env[ownerVariable] ?? ''
  const problem = name === '' ? undefined : ownerProblem(name)
  if (problem !== undefined) throw new InputError([{ message: `${ownerVariable} ${problem}: "${name}"` }])
  return name
}
