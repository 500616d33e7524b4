import { parse } from 'yaml'
import type { Cluster } from '../../cluster/types.js'
import { InputError } from '../../errors.js'
import { parseKubeProxyConfiguration } from '../../proxy/parseConfig.js'
import type { KubeProxyConfiguration } from '../../proxy/config.js'
import { defaultRanges } from '../../net/addressRanges.js'
import type { Lab } from '../types.js'

/** Where kubeadm stores the configuration of a cluster's kube-proxies. */
const configMap = { namespace: 'kube-system', name: 'kube-proxy', key: 'config.conf' }
const configMapText = `configmap ${configMap.namespace}/${configMap.name}: ${configMap.key}`

type Fields = Readonly<Record<string, unknown>>

/**
 * The fields of KubeProxyConfiguration that a lab sets: those of the ConfigMap kube-system/kube-proxy if the cluster has
 * it, overridden by those of lab.yaml. Throws InputError.
 */
export function kubeProxyFields(written: Fields, cluster: Cluster): Fields {
  return { ...configMapFields(cluster), ...written }
}

/**
 * The effective configuration. By default clusterCIDR is the pod network, as in kubeadm's configuration. Throws
 * InputError.
 */
export function kubeProxyConfiguration(
  { kubeProxy, families, at }: Pick<Lab, 'kubeProxy' | 'families' | 'at'>,
  cluster: Cluster,
): KubeProxyConfiguration {
  const clusterCIDR = families.map((family) => defaultRanges.pods[family]).join(',')
  const inCluster = configMapFields(cluster)
  const { config, problems } = parseKubeProxyConfiguration({ clusterCIDR, ...inCluster, ...kubeProxy })
  if (problems.length === 0) return config
  throw new InputError(
    problems.map(({ path, message, hint }) =>
      kubeProxy === false || Object.hasOwn(kubeProxy, path[0] ?? '') || Object.keys(inCluster).length === 0
        ? { message, hint, at: at(['kubeProxy', ...path]) }
        : { message: `${configMapText}: ${message}`, hint },
    ),
  )
}

function configMapFields({ configMaps = [] }: Cluster): Fields {
  const { namespace, name, key } = configMap
  const found = configMaps.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
  const text = found?.data?.[key]
  if (text === undefined) return {}
  const fields: unknown = readFields(text)
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields as Fields
  throw new InputError([{ message: `${configMapText} is not a KubeProxyConfiguration` }])
}

function readFields(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new InputError([
      { message: `${configMapText} is not valid YAML: ${(error as Error).message.split('\n')[0] ?? ''}` },
    ])
  }
}
