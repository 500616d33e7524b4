import { findUpLabs, type UpLab } from '../../host/upLabs.js'
import type { Exercise } from '../../lab/workshop/types.js'

/** The lab of an exercise, where it is up; one of the same name from another folder is another lab. */
export function labOf({ name, directory }: Pick<Exercise, 'name' | 'directory'>): UpLab | undefined {
  return findUpLabs().find((up) => up.lab === name && up.directory === directory)
}
