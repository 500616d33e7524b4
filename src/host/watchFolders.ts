import { watch } from 'node:fs'

/** Calls back on each change of a file in one of the folders, until it is closed. */
export function watchFolders(folders: readonly string[], onChange: () => void): { close(): void } {
  const watchers = [...new Set(folders)].map((folder) => watch(folder, onChange))
  return { close: () => watchers.forEach((watcher) => watcher.close()) }
}
