import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Gives what root made in somebody's checkout to the owner of the checkout: with sudo, node_modules or dist would
 * otherwise be folders that the user can neither rebuild nor remove.
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
    // Shared folders of virtual machines have one owner whatever is asked for.
    if (error.code === 'EPERM' || error.code === 'EINVAL') return
    throw error
  }
  if (!seen.isDirectory()) return
  for (const entry of readdirSync(path)) give(join(path, entry), uid, gid)
}
