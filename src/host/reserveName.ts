import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { findHolders, type Holder } from './holders.js'

/** How long an ending process may take to release its lab's name. */
const patienceMs = 2000
const lookEveryMs = 20

/**
 * Takes the name of an owner's lab for this process, as long as it lives: binds an abstract socket, which the kernel frees with the
 * process, also by SIGKILL. Returns the process that has the name already, if there is one.
 *
 * Another user can bind such a name too. That stops nobody: then the oldest process of this user that holds the lab has
 * its name.
 */
export async function reserveName(lab: string, owner: string): Promise<Holder | undefined> {
  const name = socketName(lab, owner)
  const deadline = performance.now() + patienceMs
  for (;;) {
    const bound = await bindName(name)
    if (typeof bound === 'function') return undefined
    const taken = takerOf(name, owner)
    if (taken !== undefined) return taken
    if (bound !== 'EADDRINUSE' || performance.now() > deadline) return olderHolder(lab, owner)
    await delay(lookEveryMs)
  }
}

/** The process of this user that has taken a lab's name. */
function takerOf(name: string, owner: string): Holder | undefined {
  const line = readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    // unix(7): the path comes last; a name is shown with an @ for every NUL in it
    .find((one) => one.replace(/@+$/, '').endsWith(` @${name}`))
  const inode = line?.trim().split(/\s+/)[6]
  if (inode === undefined) return undefined
  return findHolders(owner).find(({ pid }) => filesOf(pid).includes(`socket:[${inode}]`))
}

function olderHolder(lab: string, owner: string): Holder | undefined {
  const all = findHolders(owner).filter((one) => one.lab === lab)
  return all[0]?.pid === process.pid ? undefined : all[0]
}

function socketName(lab: string, owner: string): string {
  const hash = createHash('sha256').update(owner === '' ? lab : `${owner}\0${lab}`)
  return `vethlab-${process.getuid?.() ?? 0}-${hash.digest('hex').slice(0, 32)}`
}

/**
 * Binds an abstract socket, which no other process of this network namespace can do until then. Returns the function that gives the
 * name free, or the code of the error.
 */
export async function bindName(name: string): Promise<(() => void) | string> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve) => {
    server.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
    server.listen(`\0${name}`, () => {
      server.unref()
      resolve(() => void server.close())
    })
  })
}

function filesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`)
      } catch {
        return ''
      }
    })
  } catch {
    return []
  }
}
