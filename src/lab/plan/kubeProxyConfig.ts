import { readText } from '../../host/readText.js'
import { renderSave } from '../../netfilter/renderSave.js'
import { parseSave } from '../../netfilter/save.js'
import { didYouMean } from '../../text/nearestName.js'
import type { KubeProxy, NoKubeProxy } from '../../snapshot/model/kubeProxy.js'
import { OwnKubeProxyError } from '../../errors.js'
import { defaultConfiguration } from '../../agents/kubeProxy/configDefaults.js'
import { versionNotices } from '../../agents/kubeProxy/versions/notices.js'
import { chosenVersions, readVersionText } from '../../agents/kubeProxy/versions/known.js'
import { defaultVersion, versionText } from '../../agents/kubeProxy/versions/version.js'
import { modeOf } from '../../agents/kubeProxy/modes.js'
import type { Cluster } from '../../cluster/types.js'
import { yamlValue } from '../../cluster/yaml/yamlValue.js'
import { positionText } from '../../cluster/manifests/locatedObject.js'
import { InputError, type Problem } from '../../errors.js'
import {
  missingKind,
  parseKubeProxyConfiguration,
  type ParsedConfiguration,
} from '../../agents/kubeProxy/parseConfig.js'
import type { ConfigurationProblem, KubeProxyConfiguration } from '../../agents/kubeProxy/config.js'
import type { Lab } from '../types.js'

/** Where kubeadm stores the configuration of a cluster's kube-proxies. */
const configMap = { namespace: 'kube-system', name: 'kube-proxy', key: 'config.conf' }
const configMapText = `configmap ${configMap.namespace}/${configMap.name}: ${configMap.key}`

type Fields = Readonly<Record<string, unknown>>

/**
 * The fields of KubeProxyConfiguration that a lab sets: those of the ConfigMap kube-system/kube-proxy if the cluster has
 * it, overridden by those of lab.yaml. Throws InputError.
 */
export function kubeProxyFields({ version: _version, ...written }: Fields, cluster: Cluster): Fields {
  return { ...configMapFields(cluster), ...written }
}

/**
 * The effective configuration. By default clusterCIDR is the pod network, as in kubeadm's configuration. Throws
 * InputError.
 */
export function kubeProxyConfiguration(lab: ConfiguredLab, cluster: Cluster): KubeProxyConfiguration {
  const { config, problems } = parseAll(lab, cluster)
  if (problems.length === 0) return config
  throw new InputError(problems.map((problem) => placed(problem, lab, cluster)))
}

/** The unknown fields in the configuration, which kube-proxy ignores, and what its version does besides rules. */
export function kubeProxyNotices(lab: ConfiguredLab, cluster: Cluster): readonly string[] {
  const { config, notices } = parseAll(lab, cluster)
  const ignored = notices.map((notice) => {
    const { message, at, hint } = placed(notice, lab, cluster)
    const place = at === undefined ? '' : `${positionText(at)}: `
    return `${place}kube-proxy ignores a field: ${message}${hint === undefined ? '' : `; ${hint}`}`
  })
  if (lab.kubeProxy === false) return ignored
  const isDefaultMode = kubeProxyFields(lab.kubeProxy, cluster)['mode'] === undefined
  return [...ignored, ...versionNotices(config, cluster.services, { isDefaultMode })]
}

type ConfiguredLab = Pick<Lab, 'kubeProxy' | 'ranges' | 'families' | 'at'>

function parseAll({ kubeProxy, ranges, families }: ConfiguredLab, cluster: Cluster): ParsedConfiguration {
  const clusterCIDR = families.map((family) => ranges.pods[family]).join(',')
  const { version: written = versionText(defaultVersion), ...fields } = kubeProxy || {}
  const version = readVersionText(written)
  if (version === undefined) {
    const message = `"version" is a minor version in quotes, "${chosenVersions[0] ?? ''}" to "${chosenVersions.at(-1) ?? ''}"`
    return { config: defaultConfiguration, problems: [{ path: ['version'], message }], notices: [] }
  }
  return parseKubeProxyConfiguration({ clusterCIDR, ...configMapFields(cluster), ...fields }, version)
}

function placed(
  { path, message, hint }: ConfigurationProblem,
  { kubeProxy, at }: ConfiguredLab,
  cluster: Cluster,
): Problem {
  const inCluster = Object.keys(configMapFields(cluster)).length > 0
  return kubeProxy === false || Object.hasOwn(kubeProxy, path[0] ?? '') || !inCluster
    ? { message, hint, at: at(['kubeProxy', ...path]) }
    : { message: `${configMapText}: ${message}`, hint }
}

function configMapFields({ configMaps = [] }: Cluster): Fields {
  const { namespace, name, key } = configMap
  const found = configMaps.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
  const text = found?.data?.[key]
  if (text === undefined) return {}
  const fields: unknown = readFields(text)
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
    const message = missingKind(fields as Fields, text)
    if (message === undefined) return fields as Fields
    const hint = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1, kind: KubeProxyConfiguration'
    throw new InputError([{ message: `${configMapText}: ${message}`, hint }])
  }
  throw new InputError([{ message: `${configMapText} is not a KubeProxyConfiguration` }])
}

function readFields(text: string): unknown {
  try {
    return yamlValue(text)
  } catch (error) {
    throw new InputError([
      { message: `${configMapText} is not valid YAML: ${(error as Error).message.split('\n')[0] ?? ''}` },
    ])
  }
}

/** The saved rules of nodes, as input of iptables-restore. Throws InputError for other texts, and for a node that the lab does not have. */
function savedRules({ rules, at }: Lab, { nodes }: Cluster): NoKubeProxy['saved'] {
  const names = nodes.map(({ metadata }) => metadata.name)
  const found = Object.entries(rules).map(([node, files]) => {
    if (!names.includes(node))
      throw new InputError([
        {
          message: `the lab has no node "${node}"`,
          at: at(['rules', node]),
          hint: didYouMean(node, names) ?? `its nodes are ${names.join(', ')}`,
        },
      ])
    const texts = Object.entries(files).map(
      ([family, path]) => [family, renderSave(parseSave(readText(path), path), { counters: false })] as const,
    )
    return [node, Object.fromEntries(texts)] as const
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** The kube-proxy of a lab; `path` is that of a binary to run instead of the lab's own. Throws InputError. */
export function labKubeProxy(lab: Lab, cluster: Cluster, path = lab.kubeProxyBinary): KubeProxy {
  const invalid = (message: string, field: string[], hint: string) =>
    new OwnKubeProxyError(message, lab.at(['kubeProxy', ...field]), hint)
  const config = kubeProxyConfiguration(lab, cluster)
  if (lab.kubeProxy === false) {
    if (path === undefined) return { kind: 'none', saved: savedRules(lab, cluster) }
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
