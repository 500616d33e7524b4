import { spawnSync } from 'node:child_process'

/** Why nothing of mode ipvs can be tried here, for `skip`; false where it can. */
export const cannotIpvs: string | false = reason()

function reason(): string | false {
  if (process.getuid?.() !== 0) return 'mode ipvs needs root'
  const { status, stderr, error } = spawnSync(
    'unshare',
    ['--net', 'ipvsadm', '-A', '-t', '198.51.100.0:20000', '-s', 'rr'],
    { encoding: 'utf8' },
  )
  const [said = ''] = (stderr || error?.message || 'ipvsadm failed').split('\n')
  return status !== 0 && `no IPVS here: ${said}`
}
