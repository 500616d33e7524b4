import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const environment = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` }

/** Sysctls that move by themselves: counters, seeds, addresses that the kernel makes up. */
const restless =
  /(random|\bcount\b|_count|inode|dentry|entropy|loadavg|pid|boot_id|uuid|stable_secret|hw_breakpoint|\.sem|nr_)/

/** Everything of the machine that a lab must not touch, as text that can be compared. */
export function machineState(): Record<string, string> {
  return {
    links: said('ip', ['-o', 'link']),
    addresses: said('ip', ['-o', 'address']).replace(/valid_lft \S+ preferred_lft \S+/g, ''),
    routes:
      said('ip', ['route', 'show', 'table', 'all']) + said('ip', ['-6', 'route', 'show', 'table', 'all']),
    policies: said('ip', ['rule']),
    namespaces: said('ip', ['netns']),
    neighbours: said('ip', ['neigh', 'show', 'nud', 'permanent']),
    nftables: said('nft', ['list', 'ruleset']),
    legacy: readOr('/proc/net/ip_tables_names'),
    mounts: readOr('/proc/self/mountinfo'),
    sysctls: said('sysctl', ['-a', '--pattern', '^net\\.'])
      .split('\n')
      .filter((line) => !restless.test(line))
      .join('\n'),
    run: readdirSync('/run')
      .filter((name) => name.startsWith('vethlab') || name === 'netns')
      .join('\n'),
  }
}

/** Processes of the machine that carry a word in their command line. */
export function processesWith(word: string): number[] {
  return processes().filter((pid) => readOr(`/proc/${pid}/cmdline`).split('\0').includes(word))
}

/** The PID namespace of a process, and who else is in it. */
export function pidNamespace(pid: number): string | undefined {
  return linkTarget(`/proc/${pid}/ns/pid`)
}

/** The words of a process, with blanks between. */
export function commandLineOf(pid: number): string {
  return readOr(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

export function processesIn(namespace: string): number[] {
  return processes().filter((pid) => pidNamespace(pid) === namespace)
}

function processes(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
}

/** How many connections to the unix sockets of a process wait for it to accept them. */
export function unaccepted(pid: number): number {
  const folder = `/proc/${pid}/fd`
  const own = readdirSync(folder).map(
    (fd) => /^socket:\[(\d+)\]$/.exec(linkTarget(`${folder}/${fd}`) ?? '')?.[1],
  )
  return said('ss', ['-xlH'])
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , , , inode]) => inode !== undefined && own.includes(inode))
    .reduce((sum, [, , queued]) => sum + Number(queued), 0)
}

function linkTarget(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}

function said(command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, {
      encoding: 'utf8',
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1e8,
    })
  } catch {
    return `(${command} says nothing)`
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
