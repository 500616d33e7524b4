import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './failure.mjs'

/** The folder of the built command line and library. */
export const distFolder = 'dist'

const sources = ['src', 'scripts/build.mjs', 'package.json', 'package-lock.json', 'Dockerfile']

/** Whether dist/ was built from the sources as they are now. */
export function buildIsCurrent(root) {
  return stampOf(root) === fingerprint(root)
}

/** Builds dist/ with scripts/build.mjs and stamps it; throws a SetupFailure when the sources do not build. */
export function makeBuild(root) {
  const before = fingerprint(root)
  const args = [join(root, 'scripts/build.mjs')]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0)
    throw new SetupFailure(`building the command line failed (exit ${status})`, { exitCode: 1 })
  mkdirSync(join(root, distFolder), { recursive: true })
  writeFileSync(join(root, distFolder, '.stamp'), before)
}

function stampOf(root) {
  try {
    return readFileSync(join(root, distFolder, '.stamp'), 'utf8')
  } catch {
    return undefined
  }
}

// Number, sizes and times of the files: a file that is removed, or restored with an older time, is a change too.
function fingerprint(root) {
  const sum = { files: 0, bytes: 0, times: 0 }
  for (const source of sources) addFile(join(root, source), sum)
  return `${sum.files} files, ${sum.bytes} bytes, times ${sum.times}\n`
}

function addFile(path, sum) {
  const seen = statSync(path)
  if (seen.isDirectory()) return addFolder(path, sum)
  sum.files += 1
  sum.bytes += seen.size
  sum.times += Math.round(seen.mtimeMs)
}

function addFolder(path, sum) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) addFolder(join(path, entry.name), sum)
    else addFile(join(path, entry.name), sum)
  }
}
