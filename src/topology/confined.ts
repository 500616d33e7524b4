/** What processes of a lab need: to configure their network, to use files of other users inside, and to drop privileges. */
const kept = [
  ...['chown', 'dac_override', 'fowner', 'fsetid', 'kill', 'setgid', 'setuid', 'setpcap', 'setfcap'],
  ...['net_admin', 'net_bind_service', 'net_raw', 'sys_chroot', 'audit_write'],
]

/**
 * A prefix that limits a command to these capabilities (capabilities(7)); executing a file does not add any. It cannot access
 * processes with more capabilities, such as the first one of the sandbox: /proc/1/root (ptrace(2), access mode checking).
 */
export const confined: readonly string[] = [
  'setpriv',
  '--no-new-privs',
  '--inh-caps=-all',
  `--bounding-set=-all,${kept.map((name) => `+${name}`).join(',')}`,
  '--',
]

/**
 * A prefix that limits a command and gives it the root of a process that holds files. It is called with the sandbox's own root, in the
 * mount namespace of that process: a program of the lab must not run before the limit. `path` is the path of a tool.
 */
export function confinedIn(keeper: string | undefined, path: (tool: string) => string): readonly string[] {
  const [setpriv = '', ...options] = confined
  const root = keeper === undefined ? [] : [path('chroot'), `/proc/${keeper}/root`]
  return [path(setpriv), ...options, ...root]
}

/**
 * A command with variables of the lab, which only its own program may have: those of a container could have any program before it
 * load a library of the lab.
 */
export function withVariables(
  env: Readonly<Record<string, string>>,
  argv: readonly string[],
): readonly string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return variables.length === 0 ? argv : ['env', '--', ...variables, ...argv]
}
