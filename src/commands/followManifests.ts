import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isKnownError } from '../errors.js'
import { readText } from '../host/readText.js'
import { watchFolders } from '../host/watchFolders.js'
import { loadLab } from '../lab/file/loadLab.js'
import type { Lab } from '../lab/types.js'
import { withUpLab } from '../up/upLab.js'
import { ask } from './ask.js'
import { print, printError } from './output.js'

/** Editors write in several strokes: what changed is looked at when they have been still for so long. */
const stillMs = 60

/** Applies a lab's manifests whenever they are edited, until the signal; what is wrong in them is told, and waits. */
export async function followManifests(lab: Lab, signal: AbortSignal): Promise<void> {
  const folders = [lab.directory, ...lab.manifests.map((file) => dirname(file))]
  let edits = 0
  let wake: () => void = () => undefined
  const watched = watchFolders(folders, () => {
    edits++
    wake()
  })
  signal.addEventListener('abort', () => wake())
  print('  watching its manifests; Ctrl-C ends that, and the lab stays up\n')
  try {
    for (let applied = 0; !signal.aborted;) {
      if (edits === applied) await new Promise<void>((resolve) => (wake = resolve))
      while (applied !== edits && !signal.aborted) {
        applied = edits
        await delay(stillMs)
      }
      if (!signal.aborted) await applyAgain(lab)
    }
  } finally {
    watched.close()
  }
}

async function applyAgain({ name, directory }: Lab): Promise<void> {
  try {
    const files = loadLab(directory).manifests.map((path) => ({ path, text: readText(path) }))
    const said = await withUpLab(name, (lab) => ask(lab, { do: 'follow-files', files }))
    for (const line of said.filter((text) => !text.endsWith(' unchanged'))) print(`${line}\n`)
  } catch (error) {
    // a file half written, an object refused: the next edit may mend it
    if (!isKnownError(error)) throw error
    printError(`${error.message}\n`)
  }
}
