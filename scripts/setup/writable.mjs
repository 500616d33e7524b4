import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './failure.mjs'

/** Throws a SetupFailure where a folder of a checkout that is to be made again cannot be written. */
export function requireWritable(root, folders) {
  for (const path of [root, ...folders.map((folder) => join(root, folder))]) {
    if (!existsSync(path)) continue
    try {
      accessSync(path, constants.W_OK)
    } catch (error) {
      throw new SetupFailure(`${folders.join(' and ')} must be made again: ${error.message}`, {
        remedy: '`npm run build` as a user, and on a file system, that can write there',
      })
    }
  }
}
