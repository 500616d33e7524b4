import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeFolder, outputOf } from './compile.mjs'

/** Folders that tests read: sources, labs, recordings, documentation. */
const folders = ['src', 'test', 'scripts', 'labs', 'docs']

/** An editor writes a file in several steps. */
const quietMs = 100

/**
 * Watches a checkout from now on. `edited` resolves with the paths of edited files when edits have paused.
 * @param {string} root
 */
export function watchEdits(root) {
  const edited = new Set()
  let onEdit = () => undefined
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, name) => {
      // without a name the kernel has lost events
      edited.add(name === null ? folder : join(folder, name))
      onEdit()
    }),
  )
  return {
    async edited() {
      for (;;) {
        while (edited.size === 0) await new Promise((resolve) => (onEdit = resolve))
        for (let seen = 0; seen !== edited.size;) {
          seen = edited.size
          await sleep(quietMs)
        }
        // editors make files and remove them again
        const paths = [...edited].filter((path) =>
          [path, join(codeFolder, outputOf(path))].some((file) => existsSync(join(root, file))),
        )
        edited.clear()
        if (paths.length > 0) return paths
      }
    },
    close: () => watchers.forEach((watcher) => watcher.close()),
  }
}
