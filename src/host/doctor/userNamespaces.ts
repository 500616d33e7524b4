import { readFileSync } from 'node:fs'
import { execa } from 'execa'
import { toolEnvironment } from '../environment.js'
import type { Finding } from './finding.js'
import { sandboxNamespaces } from '../sandboxNamespaces.js'

const nobody = 65534

/** Whether labs run without root: tried as this user or, when this user is root, as nobody. */
export async function rootlessFinding(rootless: boolean): Promise<Finding> {
  // a link needs the capabilities that some systems withhold from the user namespaces that they allow
  const argv = [
    ...['--user', '--map-root-user', ...sandboxNamespaces],
    'ip',
    'link',
    'add',
    'probe0',
    'type',
    'veth',
    'peer',
    'name',
    'probe1',
  ]
  const user = rootless ? {} : { uid: nobody, gid: nobody }
  const run = await execa('unshare', argv, {
    ...user,
    env: toolEnvironment(),
    extendEnv: false,
    cwd: '/',
    reject: false,
    timeout: 30_000,
  })
  const ok = run.exitCode === 0
  return {
    group: 'rootless',
    name: 'user namespaces',
    status: ok ? 'ok' : 'lacking',
    required: rootless,
    neededFor: 'labs without sudo',
    detail: ok ? undefined : run.stderr.trim().split('\n').at(-1) || run.shortMessage,
    remedy: ok ? undefined : sandboxRemedy(true),
  }
}

/** The command that lets this user make sandboxes: the sysctl that forbids it, as far as one does. */
export function sandboxRemedy(rootless: boolean): string {
  if (!rootless) return 'run in a container with --privileged, or on the machine itself'
  const change = sysctlChange([
    { name: 'kernel.apparmor_restrict_unprivileged_userns', forbids: '1', allow: '0' },
    { name: 'kernel.unprivileged_userns_clone', forbids: '0', allow: '1' },
    noneAtAll,
  ])
  return change === undefined ? 'use sudo: sudo npm run lab <lab>' : `use sudo, or: ${change}`
}

/** What lets root make user namespaces: a sysctl, or the whole of /proc in a container. */
export function ownRootRemedy(): string {
  const change = sysctlChange([noneAtAll])
  if (change !== undefined) return change
  // the kernel mounts a new /proc in a user namespace only where nothing of the one before is covered
  if (/^\S+ \S+ \S+ \S+ \/proc\//m.test(readFileSync('/proc/self/mountinfo', 'utf8')))
    return 'run the container with --security-opt systempaths=unconfined'
  return 'a kernel with CONFIG_USER_NS, and util-linux 2.36 or newer'
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
