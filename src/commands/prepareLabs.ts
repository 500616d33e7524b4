import { basename } from 'node:path'
import type { IpFamily } from '../cluster/types.js'
import { InputError, OwnFamiliesError } from '../errors.js'
import { listLabs } from '../lab/findLab.js'
import { prepareLab, type PreparedLab } from '../lab/prepareLab.js'

/** Which labs are meant, and how they are read. */
export interface LabFlags {
  readonly all?: true
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
}

/** A lab that cannot be run as asked, and why. */
export interface SkippedLab {
  readonly lab: string
  readonly reason: string
}

/**
 * Reads labs that are named, or all of them; when one is wrong, none is built. Of all labs, those that state other
 * families than are asked for are left out.
 */
export function prepareLabs(
  verb: string,
  names: readonly string[],
  { all, families, ignore }: LabFlags,
): { readonly labs: PreparedLab[]; readonly skipped: readonly SkippedLab[] } {
  if (all === true && names.length > 0)
    throw new InputError([{ message: `${verb} takes names of labs, or --all` }])
  const wanted = all === true ? listLabs() : names
  if (wanted.length === 0) {
    throw new InputError([
      { message: `${verb} takes the name of a lab`, hint: '`vethlab list` shows the labs' },
    ])
  }
  const labs: PreparedLab[] = []
  const skipped: SkippedLab[] = []
  for (const name of wanted) {
    try {
      labs.push(prepareLab(name, { families, ignoreKinds: new Set(ignore) }))
    } catch (error) {
      if (all !== true || !(error instanceof OwnFamiliesError)) throw error
      skipped.push({ lab: basename(name), reason: error.problems[0]?.message ?? error.message })
    }
  }
  if (labs.length === 0)
    throw new InputError([{ message: 'every lab states families of its own: there is none to run' }])
  return { labs, skipped }
}
