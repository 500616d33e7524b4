import { basename } from 'node:path'
import type { IpFamily } from '../../net/ipFamily.js'
import type { OnInvalid } from './reportInvalid.js'
import { InputError, OwnFamiliesError, OwnKubeProxyError, OwnModeError } from '../../errors.js'
import { listLabs } from '../../lab/file/findLab.js'
import { prepareLab, type PreparedLab } from '../../lab/plan/prepareLab.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'

/** The options that select and prepare labs. */
export interface LabFlags {
  readonly all?: true
  readonly share?: Share | undefined
  readonly families?: readonly IpFamily[]
  readonly ignore: readonly string[]
  readonly commands?: 'echo' | 'strict' | undefined
  readonly mode?: ModeName | undefined
  /** Absolute path of a binary. */
  readonly kubeProxy?: string | undefined
}

/** A part of labs, for several hosts: the share with a number, from 1, of so many. */
export interface Share {
  readonly number: number
  readonly of: number
}

/** A lab that cannot run as requested, and why. */
export interface SkippedLab {
  readonly lab: string
  readonly reason: string
}

/**
 * Reads the named labs, or all labs, so that errors are reported before any is built: `onInvalid` gets each lab that is
 * invalid, then the InputError with all problems is thrown. With `all`, labs that set other
 * families or another mode than the requested ones, or that no kube-proxy binary can serve, are skipped.
 */
export function prepareLabs(
  verb: string,
  names: readonly string[],
  { all, share, families, ignore, mode, commands, kubeProxy: kubeProxyBinary }: LabFlags,
  onInvalid: OnInvalid = () => undefined,
): { readonly labs: PreparedLab[]; readonly skipped: readonly SkippedLab[] } {
  const wanted = selectedLabs(verb, names, all, share)
  const labs: PreparedLab[] = []
  const skipped: SkippedLab[] = []
  const invalid: InputError[] = []
  for (const name of wanted) {
    try {
      labs.push(prepareLab(name, { families, mode, commands, kubeProxyBinary, ignoreKinds: new Set(ignore) }))
    } catch (error) {
      const reason = all === true ? skippedFor(error) : undefined
      if (reason !== undefined) skipped.push({ lab: basename(name), reason })
      else if (error instanceof InputError) {
        invalid.push(error)
        onInvalid(basename(name), error)
      } else throw error
    }
  }
  const [first, ...others] = invalid
  if (first !== undefined)
    throw others.length === 0 ? first : new InputError(invalid.flatMap(({ problems }) => problems))
  if (labs.length === 0 && share === undefined)
    throw new InputError([{ message: 'every lab sets other families or another mode: there is none to run' }])
  return { labs, skipped }
}

/** The named labs, or all labs; or a share of them, every n-th. Throws InputError for none, and for both. */
export function selectedLabs(
  verb: string,
  names: readonly string[],
  all: true | undefined,
  share?: Share,
): readonly string[] {
  if (all === true && names.length > 0)
    throw new InputError([{ message: `${verb} needs names of labs or --all, not both` }])
  const wanted = all === true ? listLabs() : names
  if (wanted.length > 0 && share !== undefined) {
    const part = wanted.filter((_, index) => index % share.of === share.number - 1)
    if (part.length > 0) return part
    throw new InputError([
      { message: `there are ${wanted.length} labs, and none for share ${share.number}/${share.of}` },
    ])
  }
  if (wanted.length > 0) return wanted
  throw new InputError([
    { message: `${verb} needs the name of a lab`, hint: '`vethlab list` shows the labs' },
  ])
}

/** Why a lab is skipped with `--all`; undefined for an error in the lab. */
function skippedFor(error: unknown): string | undefined {
  if (error instanceof OwnModeError || error instanceof OwnKubeProxyError) return error.reason
  return error instanceof OwnFamiliesError ? (error.problems[0]?.message ?? error.message) : undefined
}
