import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A requirement of the virtual machine is missing on this host. */
export class NotHere extends Error {}

const packageOf = {
  mmdebstrap: 'mmdebstrap',
  'qemu-system-x86_64': 'qemu-system-x86',
  mke2fs: 'e2fsprogs',
  setpriv: 'util-linux',
  tar: 'tar',
} as const

/** Throws NotHere with the command that installs the missing tools. */
export function requireVmTools(): void {
  if (process.arch !== 'x64')
    throw new NotHere(`the virtual machine needs an x86-64 host, this one is ${process.arch}`)
  const missing = Object.entries(packageOf).filter(([tool]) => !isThere(tool))
  if (missing.length === 0) return
  const packages = missing.map(([, name]) => name).join(' ')
  throw new NotHere(
    `not installed on this host: ${missing.map(([tool]) => tool).join(', ')}; try: sudo apt-get install ${packages}`,
  )
}

function isThere(tool: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
  return folders.some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
