import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './failure.mjs'

/** Throws a SetupFailure if a folder of a checkout that must be rebuilt is not writable. */
export function requireWritable(root, folders) {
  for (const path of [root, ...folders.map((folder) => join(root, folder))]) {
    if (!existsSync(path)) continue
    try {
      accessSync(path, constants.W_OK)
    } catch (error) {
      throw new SetupFailure(`${folders.join(' and ')} must be rebuilt: ${error.message}`, {
        remedy: '`npm run build` as a user who can write there, on a writable file system',
      })
    }
  }
}
