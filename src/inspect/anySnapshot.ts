import { planSnapshot } from '../lab/plan/planSnapshot.js'
import type { PrepareOptions } from '../lab/plan/prepareOptions.js'
import type { Snapshot } from '../snapshot/model/snapshot.js'
import { plannedFrom } from '../up/labElsewhere.js'
import { upLabNamed } from '../up/upLab.js'
import { readAttachedSnapshot, type GivenFacts, type ReadSnapshot } from './attached.js'
import { isAttached } from './isAttached.js'
import { readUpLab } from './traceInLab.js'

/** How a lab is read. */
export interface LabOptions {
  /** Whether the plan of a lab is used even if it runs. */
  readonly plan?: boolean | undefined
  /** How files are read for a plan. */
  readonly prepare?: PrepareOptions | undefined
}

/** What is read besides the word. */
export interface AnyOptions extends LabOptions {
  /** More files, of what was attached. */
  readonly filename?: readonly string[] | undefined
  readonly given?: GivenFacts | undefined
}

/** The snapshot of what was attached, of a running lab, or of the plan of a lab. Throws InputError. */
export async function readAnySnapshot(what: string, options: AnyOptions = {}): Promise<ReadSnapshot> {
  if (isAttached(what)) return readAttachedSnapshot(what, options.filename, options.given)
  return { snapshot: await readLab(what, options) }
}

/** The snapshot of a running lab, or of the plan of a lab. Throws InputError. */
export async function readLab(name: string, { plan, prepare }: LabOptions): Promise<Snapshot> {
  const up = plan === true ? undefined : await upLabNamed(name)
  return up === undefined ? planSnapshot(await plannedFrom(name), prepare) : readUpLab(up)
}
