import { isAttached, readAttachedSnapshot, type ReadSnapshot } from '../../inspect/attached.js'
import { readUpLab } from '../../inspect/traceInLab.js'
import { planSnapshot } from '../../lab/plan/planSnapshot.js'
import { upLabNamed } from '../../up/upLab.js'

/** The snapshot that a word names: something attached, a running lab, or the plan of a lab. Throws InputError. */
export async function readWhat(
  what: string,
  { filename, plan }: { readonly filename?: readonly string[] | undefined; readonly plan?: true | undefined },
): Promise<ReadSnapshot> {
  if (isAttached(what)) return readAttachedSnapshot(what, filename)
  const up = plan === true ? undefined : await upLabNamed(what)
  return { snapshot: up === undefined ? planSnapshot(what) : await readUpLab(up) }
}
