import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupFailure } from './failure.mjs'

const shared = ['src', 'scripts/build.mjs', 'package-lock.json', 'Dockerfile']

/** The builds: their sources, output folders and arguments. */
export const builds = {
  dist: { title: 'the command line', folder: 'dist', sources: shared, args: [] },
  tests: { title: 'the tests', folder: 'build/test', sources: [...shared, 'test'], args: ['--test'] },
}

/** Whether a build was made from the sources as they are now. */
export function buildIsCurrent(root, build) {
  return stampOf(root, build) === fingerprint(root, build)
}

/** Makes a build with scripts/build.mjs and stamps it; throws a SetupFailure when the sources do not build. */
export function makeBuild(root, build) {
  const before = fingerprint(root, build)
  const args = [join(root, 'scripts/build.mjs'), ...build.args]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new SetupFailure(`building ${build.title} failed (exit ${status})`, { exitCode: 1 })
  mkdirSync(join(root, build.folder), { recursive: true })
  writeFileSync(join(root, build.folder, '.stamp'), before)
}

function stampOf(root, build) {
  try {
    return readFileSync(join(root, build.folder, '.stamp'), 'utf8')
  } catch {
    return undefined
  }
}

// Number, sizes and times of the files: a file that is removed, or restored with an older time, is a change too.
function fingerprint(root, build) {
  const sum = { files: 0, bytes: 0, times: 0 }
  for (const source of build.sources) addFile(join(root, source), sum)
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
    // Recorded files are read while tests run, not built into them.
    if (entry.isDirectory()) {
      if (entry.name !== 'golden') addFolder(join(path, entry.name), sum)
    } else addFile(join(path, entry.name), sum)
  }
}
