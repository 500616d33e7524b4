import { stringify } from 'yaml'

/** A kubeconfig for kubectl and kube-proxy: one cluster, a user without credentials, and their context. */
export function kubeconfig(serverUrl: string, name: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: serverUrl } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  })
}
