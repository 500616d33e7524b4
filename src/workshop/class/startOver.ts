import { findHolders, stopHolder } from '../../host/holders.js'
import { noProgress } from '../../lab/workshop/progress.js'
import { openWorkshop } from '../workshop.js'

/** Removes the labs and the progress that participants have from an earlier class. */
export async function startOver(names: readonly string[]): Promise<void> {
  await Promise.all(names.flatMap((name) => findHolders(name)).map(stopHolder))
  for (const name of names) openWorkshop(name, 'en').save(noProgress)
}
