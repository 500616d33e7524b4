/** Options of `unshare` for the PID namespace of a sandbox: all its processes end with the first one. */
export const processNamespace: readonly string[] = [
  ...['--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private'],
]

/** Options for the other namespaces. */
export const otherNamespaces: readonly string[] = [
  ...['--mount', '--net', '--uts', '--ipc', '--cgroup', '--propagation', 'private'],
]

/** All of them. */
export const sandboxNamespaces: readonly string[] = [...otherNamespaces, ...processNamespace]
