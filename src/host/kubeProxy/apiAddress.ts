import { joinHostPort } from '../../net/socketText.js'

/** Path of the kubeconfig for kube-proxy inside the sandbox: for reading only. */
export const kubeconfigPath = '/run/vethlab/kubeconfig'

/** Path of the kubeconfig for kubectl inside the sandbox of a lab that stays: with a token, for writes. */
export const adminKubeconfigPath = '/run/vethlab/admin.conf'

/**
 * The environment for kubectl in a lab: it connects to that lab, and writes nothing to the user's home. HTTP proxies of the
 * host cannot be reached from inside.
 */
export const kubectlEnvironment: Readonly<Record<string, string>> = {
  KUBECONFIG: adminKubeconfigPath,
  KUBECACHEDIR: '/run/vethlab/kube-cache',
  NO_PROXY: '*',
  no_proxy: '*',
}

/** URL of an API server; an IPv6 address in brackets. */
export function apiUrl(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  return `${scheme}://${joinHostPort(host, port)}`
}
