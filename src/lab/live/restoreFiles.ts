import type { NamesAround } from '../../cluster/dns/podFiles.js'
import type { Cluster } from '../../cluster/types.js'
import { runStages } from '../../host/sandbox/runPlan.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { isHeld } from '../../topology/planPlaceFiles.js'
import type { Place } from '../../topology/types.js'
import { commandContainers, planFiles } from '../../topology/placeFiles.js'

/** Makes the files of a pod's containers again if a process that holds them was ended: a restarted container has new ones. */
export async function restoreFiles(
  sandbox: Sandbox,
  cluster: Cluster,
  place: Place,
  around: NamesAround | undefined,
): Promise<void> {
  const read = (path: string) => sandbox.inside.read(path)
  if (commandContainers(cluster, [place]).some(({ files = '' }) => !isHeld(read, files)))
    await runStages(sandbox, [planFiles(cluster, [place], around)])
}
