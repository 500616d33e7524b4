import { basename } from 'node:path'
import type { IpFamily } from '../../net/ipFamily.js'
import { InputError, OwnFamiliesError, OwnModeError } from '../../errors.js'
import { listLabs } from '../../lab/file/findLab.js'
import { prepareLab, type PreparedLab } from '../../lab/plan/prepareLab.js'
import type { ModeName } from '../../proxy/config.js'

/** Which labs are meant, and how they are read. */
export interface LabFlags {
  readonly all?: true
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
  readonly mode?: ModeName | undefined
  /** Absolute path of a binary. */
  readonly kubeProxy?: string | undefined
}

/** A lab that cannot be run as asked, and why. */
export interface SkippedLab {
  readonly lab: string
  readonly reason: string
}

/**
 * Reads labs that are named, or all of them; when one is wrong, none is built. Of all labs, those that state other
 * families, or are about another mode, than is asked for are left out.
 */
export function prepareLabs(
  verb: string,
  names: readonly string[],
  { all, families, ignore, mode, kubeProxy: kubeProxyBinary }: LabFlags,
): { readonly labs: PreparedLab[]; readonly skipped: readonly SkippedLab[] } {
  const wanted = labsMeant(verb, names, all)
  const labs: PreparedLab[] = []
  const skipped: SkippedLab[] = []
  for (const name of wanted) {
    try {
      labs.push(prepareLab(name, { families, mode, kubeProxyBinary, ignoreKinds: new Set(ignore) }))
    } catch (error) {
      const reason = all === true ? skippedFor(error) : undefined
      if (reason === undefined) throw error
      skipped.push({ lab: basename(name), reason })
    }
  }
  if (labs.length === 0)
    throw new InputError([
      { message: 'every lab states families or a mode of its own: there is none to run' },
    ])
  return { labs, skipped }
}

/** The labs that are named, or all of them. Throws InputError for none, and for both. */
export function labsMeant(verb: string, names: readonly string[], all: true | undefined): readonly string[] {
  if (all === true && names.length > 0)
    throw new InputError([{ message: `${verb} takes names of labs, or --all` }])
  const wanted = all === true ? listLabs() : names
  if (wanted.length > 0) return wanted
  throw new InputError([
    { message: `${verb} takes the name of a lab`, hint: '`vethlab list` shows the labs' },
  ])
}

/** Why a lab is left out where all of them are asked for; undefined for what is wrong with it. */
function skippedFor(error: unknown): string | undefined {
  if (error instanceof OwnModeError) return error.reason
  return error instanceof OwnFamiliesError ? (error.problems[0]?.message ?? error.message) : undefined
}
