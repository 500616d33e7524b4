/** What processes of a lab need: their own network, files of other users inside, daemons that drop rights. */
const kept = [
  ...['chown', 'dac_override', 'fowner', 'fsetid', 'kill', 'setgid', 'setuid', 'setpcap', 'setfcap'],
  ...['net_admin', 'net_bind_service', 'net_raw', 'sys_chroot', 'audit_write'],
]

/**
 * Put before a command, it has no more than these capabilities (capabilities(7)), and gets none by executing a file. A
 * process that has more of them, such as the sandbox's first, is closed to it: /proc/1/root (ptrace(2), access mode checking).
 */
export const confined: readonly string[] = [
  'setpriv',
  '--no-new-privs',
  '--inh-caps=-all',
  `--bounding-set=-all,${kept.map((name) => `+${name}`).join(',')}`,
  '--',
]
