import { readFileSync } from 'node:fs'
import { runsAs } from '../calledAs.js'

/** The command that allows this user to create sandboxes: it sets the sysctl that forbids it, if there is one. */
export function sandboxRemedy(rootless: boolean): string {
  if (!rootless)
    return isFiltered()
      ? `run the container with ${rights}`
      : 'run on the host itself, or in a container with --privileged'
  const change = sysctlChange([
    { name: 'kernel.apparmor_restrict_unprivileged_userns', forbids: '1', allow: '0' },
    { name: 'kernel.unprivileged_userns_clone', forbids: '0', allow: '1' },
    noneAtAll,
  ])
  const asRoot = `sudo ${runsAs().join(' ')} <lab>`
  if (change !== undefined) return `${asRoot}, or: ${change}`
  return isFiltered() ? `${asRoot}; in a container, as its root and with ${rights}` : asRoot
}

/** What allows root to create user namespaces: a sysctl, or all of /proc in a container. */
export function ownRootRemedy(): string {
  const change = sysctlChange([noneAtAll])
  if (change !== undefined) return change
  // in a user namespace the kernel mounts a new /proc only if no part of the current one is hidden
  if (/^\S+ \S+ \S+ \S+ \/proc\//m.test(readFileSync('/proc/self/mountinfo', 'utf8')))
    return 'run the container with --security-opt systempaths=unconfined'
  if (isFiltered()) return 'run the container with --security-opt seccomp=unconfined'
  return 'a kernel with CONFIG_USER_NS, and util-linux 2.36 or newer'
}

/** Why this user cannot create namespaces; undefined if the kernel's error message is enough. */
export function refusalReason(rootless: boolean): string | undefined {
  if (isFiltered())
    return "a seccomp filter is active here, such as Docker's: it can block the creation of namespaces"
  return rootless ? 'this host does not allow ordinary users to create namespaces' : undefined
}

/** What a container needs if labs do not run in their own user namespace (docs/ci.md). */
const rights = '--cap-add SYS_ADMIN --cap-add NET_ADMIN --security-opt apparmor=unconfined'

/** Whether a seccomp filter restricts the system calls of this process (proc_pid_status(5)). */
function isFiltered(): boolean {
  return /^Seccomp:\s*2$/m.test(readFileSync('/proc/self/status', 'utf8'))
}

interface Switch {
  readonly name: string
  /** The value that forbids user namespaces, and the one that allows them. */
  readonly forbids: string
  readonly allow: string
}

const noneAtAll: Switch = { name: 'user.max_user_namespaces', forbids: '0', allow: '15000' }

function sysctlChange(switches: readonly Switch[]): string | undefined {
  const forbidding = switches.filter(({ name, forbids }) => readSysctl(name) === forbids)
  if (forbidding.length === 0) return undefined
  return `sudo sysctl -w ${forbidding.map(({ name, allow }) => `${name}=${allow}`).join(' ')}`
}

function readSysctl(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll('.', '/')}`, 'utf8').trim()
  } catch {
    return undefined
  }
}
