import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isKnownError } from '../errors.js'
import { readText } from '../host/readText.js'
import { watchFolders } from '../host/watchFolders.js'
import { loadLab } from '../lab/file/loadLab.js'
import type { Lab } from '../lab/types.js'
import { withUpLab } from '../up/upLab.js'
import { ask } from './orders.js'
import { print, printError } from './output.js'

/** Editors write files in several steps: changes are read after no event for this time. */
const quietMs = 60

/** Applies a lab's manifests whenever they change, until the signal aborts. Prints errors in them and continues. */
export async function followManifests(lab: Lab, signal: AbortSignal): Promise<void> {
  const folders = [lab.directory, ...lab.manifests.map((file) => dirname(file))]
  let edits = 0
  let wake: () => void = () => undefined
  const watched = watchFolders(folders, () => {
    edits++
    wake()
  })
  signal.addEventListener('abort', () => wake())
  print('  watching its manifests; Ctrl-C stops watching, and the lab keeps running\n')
  try {
    for (let applied = 0; !signal.aborted;) {
      if (edits === applied) await new Promise<void>((resolve) => (wake = resolve))
      while (applied !== edits && !signal.aborted) {
        applied = edits
        await delay(quietMs)
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
    const messages = await withUpLab(name, (lab) => ask(lab, { do: 'follow-files', files }))
    for (const line of messages.filter((text) => !text.endsWith(' unchanged'))) print(`${line}\n`)
  } catch (error) {
    // such as an incomplete file or an invalid object: the next edit may fix it
    if (!isKnownError(error)) throw error
    printError(`${error.message}\n`)
  }
}
