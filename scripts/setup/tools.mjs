import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

// sudo and cron set a PATH without the folders of most of these tools.
const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin', '/bin']

/** The tools that are missing on this host. Looks for files, because running each tool would take longer than the lab. */
export function missingTools(tools, { path = process.env.PATH ?? '', root = '/' } = {}) {
  const folders = [...new Set([...path.split(':'), ...systemFolders])].filter((folder) =>
    folder.startsWith('/'),
  )
  const isThere = (tool) =>
    tool.files === undefined
      ? folders.some((folder) => mayRun(join(root, folder, tool.name)))
      : tool.files.some((file) => mayRead(join(root, file)))
  const missing = tools.filter((tool) => !isThere(tool))
  // In nginx's own packages the stream module is built in, without a file.
  return missing.filter((tool) => tool.name !== 'nginx stream module' || !streamIsBuiltIn(missing))
}

/** `nginx-light, nfacct`: the Debian packages of some tools, each once, in the order of the tools. */
export function packagesOf(tools) {
  return [...new Set(tools.map((tool) => tool.package))]
}

function streamIsBuiltIn(missing) {
  if (missing.some((tool) => tool.name === 'nginx')) return false
  const path = [process.env.PATH, ...systemFolders].join(':')
  const said = spawnSync('nginx', ['-V'], { encoding: 'utf8', env: { ...process.env, PATH: path } })
  return /--with-stream(\s|$)/.test(said.stderr ?? '')
}

function mayRun(file) {
  return isAccessible(file, constants.X_OK)
}

function mayRead(file) {
  return isAccessible(file, constants.R_OK)
}

function isAccessible(file, mode) {
  try {
    accessSync(file, mode)
    return true
  } catch {
    return false
  }
}
