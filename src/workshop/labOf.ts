import type { Exercise } from '../lab/workshop/types.js'
import { findUpLabs, type UpLab } from '../up/upLab.js'

/** The running lab of an owner's exercise. A lab with the same name from another folder is not it. */
export async function labOf(
  { name, directory }: Pick<Exercise, 'name' | 'directory'>,
  owner: string,
): Promise<UpLab | undefined> {
  const labs = await findUpLabs(owner)
  return labs.find((up) => up.lab === name && up.directory === directory)
}
