import type { Cluster } from '../../cluster/types.js'
import { OwnKubeProxyError } from '../../errors.js'
import type { KubeProxyConfiguration } from '../../proxy/config.js'
import type { ProxyMode } from '../../proxy/mode.js'
import { defaultMode, modeOf } from '../../proxy/modes.js'
import type { Lab } from '../types.js'
import { kubeProxyConfiguration, kubeProxyFields } from './kubeProxyConfig.js'

/** The configuration of a lab's kube-proxies. */
interface Configured {
  readonly mode: ProxyMode
  readonly config: KubeProxyConfiguration
  /** The fields that the lab and the cluster set. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** The kube-proxy that is part of vethlab. */
export interface BuiltInKubeProxy extends Configured {
  readonly kind: 'built-in'
}

/** A program that runs on every node. */
export interface KubeProxyBinary extends Configured {
  readonly kind: 'binary'
  /** Absolute. */
  readonly path: string
}

/** What writes the rules of Services on a lab's nodes. */
export type KubeProxy = { readonly kind: 'none' } | BuiltInKubeProxy | KubeProxyBinary

/** The kube-proxy of a lab; `path` is that of a binary to run instead of the lab's own. Throws InputError. */
export function labKubeProxy(lab: Lab, cluster: Cluster, path = lab.kubeProxyBinary): KubeProxy {
  const invalid = (message: string, field: string[], hint: string) =>
    new OwnKubeProxyError(message, lab.at(['kubeProxy', ...field]), hint)
  const config = kubeProxyConfiguration(lab, cluster)
  if (lab.kubeProxy === false) {
    if (path === undefined) return { kind: 'none' }
    const message = 'the nodes of this lab have no kube-proxy that could be replaced'
    throw invalid(message, [], 'leave out "kubeProxy: false"')
  }
  const mode = modeOf(config.mode)
  const fields = kubeProxyFields(lab.kubeProxy, cluster)
  if (path === undefined) return { kind: 'built-in', mode, config, fields }
  if (mode.removedIn !== undefined) {
    const message = `kube-proxy has had no mode "${mode.name}" since Kubernetes ${mode.removedIn}`
    throw invalid(message, ['mode'], 'without --kube-proxy, the built-in one has it')
  }
  return { kind: 'binary', path, mode, config, fields }
}

/** The tools of the host that a lab's kube-proxies need, and those that show when they are ready. */
export function kubeProxyTools(kubeProxy: KubeProxy): readonly string[] {
  if (kubeProxy.kind === 'none') return []
  return kubeProxy.kind === 'binary' ? ['curl', ...kubeProxy.mode.tools] : kubeProxy.mode.tools
}

/** The mode by which the rules on a lab's nodes are read; where no kube-proxy runs they are those of iptables. */
export function modeOnNodes(kubeProxy: KubeProxy): ProxyMode {
  return kubeProxy.kind === 'none' ? defaultMode : kubeProxy.mode
}
