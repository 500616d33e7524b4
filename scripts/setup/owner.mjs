import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Changes the owner of files that root made in a checkout to the owner of the checkout. Otherwise the user could neither
 * rebuild nor remove node_modules or dist after a command with sudo.
 */
export function giveToOwner(root, names) {
  if (process.getuid() !== 0) return
  const { uid, gid } = lstatSync(root)
  if (uid === 0) return
  for (const name of names) give(join(root, name), uid, gid)
}

function give(path, uid, gid) {
  const seen = lstatSync(path, { throwIfNoEntry: false })
  if (seen === undefined) return
  try {
    if (seen.uid !== uid || seen.gid !== gid) lchownSync(path, uid, gid)
  } catch (error) {
    // Shared folders of virtual machines have a fixed owner.
    if (error.code === 'EPERM' || error.code === 'EINVAL') return
    throw error
  }
  if (!seen.isDirectory()) return
  for (const entry of readdirSync(path)) give(join(path, entry), uid, gid)
}
