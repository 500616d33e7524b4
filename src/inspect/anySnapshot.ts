import { planSnapshot } from '../lab/plan/planSnapshot.js'
import { upLabNamed } from '../up/upLab.js'
import { isAttached, readAttachedSnapshot, type GivenFacts, type ReadSnapshot } from './attached.js'
import { readUpLab } from './traceInLab.js'

/** What is read besides the word. */
export interface AnyOptions {
  /** More files, of what was attached. */
  readonly filename?: readonly string[] | undefined
  /** Whether the plan of a lab is used even if it runs. */
  readonly plan?: boolean | undefined
  readonly given?: GivenFacts | undefined
}

/** The snapshot of what was attached, of a running lab, or of the plan of a lab. Throws InputError. */
export async function readAnySnapshot(
  what: string,
  { filename, plan, given }: AnyOptions = {},
): Promise<ReadSnapshot> {
  if (isAttached(what)) return readAttachedSnapshot(what, filename, given)
  const up = plan === true ? undefined : await upLabNamed(what)
  return { snapshot: up === undefined ? planSnapshot(what) : await readUpLab(up) }
}
