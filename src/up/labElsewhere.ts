import { basename, dirname, resolve, sep } from 'node:path'
import { InputError } from '../errors.js'
import { exists, realPath } from '../host/paths.js'
import { findLab } from '../lab/file/findLab.js'
import { labOrExercise } from '../lab/workshop/faultsOfLab.js'
import { upLabNamed, upLabSoon } from './upLab.js'

/** A running lab, and another lab with its name that a command means in its folder. */
export interface LabElsewhere {
  readonly lab: string
  /** The folder of the running lab. */
  readonly directory: string
  /** The folder of the lab that `up` would start here. */
  readonly here: string
}

/**
 * The running lab that a command would find by a name or a path, if `up` would start another one by it: two clones have
 * labs with the same names. Undefined if nothing here has the name, or the lab does not answer.
 */
export async function labElsewhere(name: string): Promise<LabElsewhere | undefined> {
  const here = folderOf(name)
  const up = here === undefined ? undefined : await upLabSoon(name)
  if (here === undefined || up === undefined) return undefined
  const { lab, directory } = up
  return isOther(here, directory, process.cwd()) ? { lab, directory, here } : undefined
}

/**
 * Whether two folders are different labs to a person in a folder. In a project whose lab runs, a name means that lab, also
 * where the name by itself is that of a lab of vethlab's package.
 */
export function isOther(here: string, running: string, cwd: string): boolean {
  const [wanted, found, folder] = [here, running, cwd].map(realOr) as [string, string, string]
  if (wanted === found) return false
  const isNear = (lab: string) => isIn(folder, projectOf(lab)) || isIn(lab, folder)
  return isNear(wanted) || !isNear(found)
}

/** What the plan of a lab is read from: the name, or the folder of the running lab with it if the name means none here. Throws InputError. */
export async function plannedFrom(name: string): Promise<string> {
  try {
    labOrExercise(name)
    return name
  } catch (error) {
    const up = error instanceof InputError ? await upLabNamed(name) : undefined
    if (up === undefined) throw error
    return up.directory
  }
}

/** The folder that a name or a path means here; a path means a folder that may not exist any more, too. */
function folderOf(name: string): string | undefined {
  try {
    return findLab(name)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return name.includes('/') ? resolve(name) : undefined
  }
}

function projectOf(lab: string): string {
  const parent = dirname(lab)
  return basename(parent) === 'labs' ? dirname(parent) : parent
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function realOr(path: string): string {
  return exists(path) ? realPath(path) : path
}
