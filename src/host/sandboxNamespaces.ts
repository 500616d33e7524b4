/** What `unshare` is told for a sandbox: these namespaces of its own, and nothing left when its first process ends. */
export const sandboxNamespaces: readonly string[] = [
  ...['--mount', '--net', '--pid', '--uts', '--ipc', '--cgroup'],
  ...['--fork', '--kill-child', '--mount-proc', '--propagation', 'private'],
]
