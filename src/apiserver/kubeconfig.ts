import { stringify } from 'yaml'

/** What a client needs to write: the certificate of the server in PEM, and a bearer token. */
export interface Credentials {
  readonly certificate: string
  readonly token: string
}

/** A kubeconfig for kubectl and kube-proxy: one cluster, a user (without credentials by default), and their context. */
export function kubeconfig(serverUrl: string, name: string, credentials?: Credentials): string {
  const authority = credentials && {
    'certificate-authority-data': Buffer.from(credentials.certificate).toString('base64'),
  }
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: serverUrl, ...authority } }],
    users: [{ name, user: credentials === undefined ? {} : { token: credentials.token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  })
}
