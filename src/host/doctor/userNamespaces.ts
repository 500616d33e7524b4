import { execa } from 'execa'
import { asTool } from '../environment.js'
import type { Finding } from './finding.js'
import { sandboxNamespaces } from '../sandbox/sandboxNamespaces.js'
import { sandboxRemedy } from '../sandbox/sandboxRemedy.js'

const nobody = 65534

/** Whether labs run without root: tried as this user or, when this user is root, as nobody. */
export async function rootlessFinding(rootless: boolean): Promise<Finding> {
  // creating a link needs capabilities that some systems deny in user namespaces
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
    ...asTool(),
    cwd: '/',
    timeout: 30_000,
    // it ignores SIGTERM while its child runs
    killSignal: 'SIGKILL',
  })
  const ok = run.exitCode === 0
  return {
    group: 'rootless',
    name: 'user namespaces',
    status: ok ? 'ok' : 'missing',
    required: rootless,
    neededFor: 'labs without sudo',
    detail: ok ? undefined : run.stderr.trim().split('\n').at(-1) || run.shortMessage,
    remedy: ok ? undefined : sandboxRemedy(true),
  }
}
