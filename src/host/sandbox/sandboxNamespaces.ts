/** Options of `unshare` for the processes of a sandbox: nothing is left when the first one ends. */
export const processNamespace: readonly string[] = [
  ...['--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'],
]

/** And for all else. */
export const otherNamespaces: readonly string[] = [
  ...['--mount', '--net', '--uts', '--ipc', '--cgroup', '--propagation', 'private'],
]

/** Both at once. */
export const sandboxNamespaces: readonly string[] = [...otherNamespaces, ...processNamespace]
