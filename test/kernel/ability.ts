import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

/** Why kernel tests cannot run here, for `skip`; false where they can. */
export const cannotRun: string | false = reason()

function reason(): string | false {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  const probe = spawnSync(
    'unshare',
    [...user, '--mount', '--net', '--pid', '--fork', '--mount-proc', 'true'],
    { encoding: 'utf8' },
  )
  if (probe.status !== 0)
    return `no namespaces here: ${probe.stderr || probe.error?.message || 'unshare failed'}`.trim()
  const missing = ['ip', 'iptables', 'tcpdump', 'conntrack', 'nginx', 'curl', 'nc'].filter(
    (tool) => spawnSync('sh', ['-c', 'PATH=$PATH:/usr/sbin:/sbin command -v "$0"', tool]).status !== 0,
  )
  return missing.length > 0 && `missing here: ${missing.join(', ')}`
}

/** Why nothing of this checkout can be run as another user, for `skip`; false where it can. */
export const othersCannotRead: string | false =
  spawnSync('cat', [resolve('package.json'), resolve('dist/cli.cjs')], { uid: 65534, gid: 65534 }).status !==
    0 && 'another user cannot read this checkout'
