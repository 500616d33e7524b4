import { kubectlEnvironment } from '../../src/host/kubeProxy/apiAddress.js'
import type { CommandResult } from '../../src/host/sandbox/commandResult.js'
import { joinSandbox } from '../../src/host/sandbox/sandbox.js'
import { namesOf } from '../../src/names/names.js'
import { placeOf } from '../../src/names/placeOf.js'
import { withUpLab } from '../../src/up/upLab.js'

/** Runs a command where `vethlab exec` does, but not in a process of the command line, which takes longer than most commands. */
export async function inLab(lab: string, place: string, argv: readonly string[]): Promise<CommandResult> {
  return withUpLab(lab, ({ pid, rootless, view, places }) => {
    const { netns, hostname } = placeOf(namesOf(view), places, place)
    return joinSandbox(pid, rootless).run(argv, { netns, files: netns, hostname, env: kubectlEnvironment })
  })
}
