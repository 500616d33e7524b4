import { basename } from 'node:path'
import { InputError } from '../errors.js'
import { findUpLabs, type UpLab } from '../host/upLabs.js'

/** The lab that is up under a name or a folder; throws InputError, telling which ones are, when there is none. */
export function upLab(name: string): UpLab {
  const labs = findUpLabs()
  const found = labs.find(
    ({ lab, directory }) => lab === name || directory === name || lab === basename(name),
  )
  if (found !== undefined) return found
  const hint =
    labs.length === 0
      ? `no lab is up; \`vethlab up ${name}\` brings it up`
      : `up are: ${labs.map(({ lab }) => lab).join(', ')}`
  throw new InputError([{ message: `the lab "${name}" is not up`, hint }])
}
