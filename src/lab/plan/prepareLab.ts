import { relative } from 'node:path'
import { buildCluster } from '../../cluster/cluster.js'
import { apiWarnings, type ApiWarning } from '../../cluster/manifests/apiWarnings.js'
import { clusterNotices } from '../../cluster/manifests/notices.js'
import { commandProblems } from '../../cluster/pods/commandProblems.js'
import { needProblems } from '../../cluster/pods/podNeeds.js'
import { parseManifests, type LocatedObject } from '../../cluster/manifests/manifests.js'
import { InputError, OwnModeError } from '../../errors.js'
import { findTool } from '../../host/environment.js'
import { hostPrograms } from '../../host/programs.js'
import { readText } from '../../host/readText.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'
import { modeOf } from '../../agents/kubeProxy/modes.js'
import { layOut } from '../../topology/layOut.js'
import { createForesight } from '../changes/foresee.js'
import { leftOutSubject } from './checksInMode.js'
import { dnsObjects, namesAround, type PreparedDns } from '../dns/clusterDns.js'
import { dnsProgram } from '../dns/dnsPrograms.js'
import { outsideDns } from '../dns/outsideDns.js'
import { controllerObjects } from '../ingress/controllerObjects.js'
import { controllerRef } from '../../ingress/ingressController.js'
import type { PrepareOptions } from './prepareOptions.js'
import { labKubeProxy } from './kubeProxyConfig.js'
import type { LabModel } from '../../snapshot/model/snapshot.js'
import { kubeProxyNotices } from './kubeProxyConfig.js'
import { labState } from '../../snapshot/model/labState.js'
import { loadLab } from '../file/loadLab.js'
import { labProxyMode, stepsInMode, whyUnsupported } from './proxyMode.js'
import { resolveLab } from '../names/resolveLab.js'
import type { ResolvedStep } from '../names/resolveStep.js'
import type { Lab } from '../types.js'
import { faultsOfLab } from '../workshop/faultsOfLab.js'

/** A validated lab with all names and addresses resolved; nothing is built yet. */
export interface PreparedLab extends LabModel {
  readonly lab: Lab
  /** The objects of its manifests. */
  readonly objects: readonly LocatedObject[]
  /** What the API server warns about in the files of its manifests. */
  readonly warnings: readonly ApiWarning[]
  /** The DNS of the cluster, if it has one. */
  readonly dns: PreparedDns | undefined
  readonly steps: readonly ResolvedStep[]
  /** How many checks were left out because they do not apply in the requested mode. */
  readonly checksSkipped: number
  /** Kinds that are ignored in manifests, including those of steps. */
  readonly ignoreKinds: ReadonlySet<string>
  readonly notices: readonly string[]
}

/** Loads a lab and its files. Throws InputError for invalid input. */
export function prepareLab(nameOrPath: string, options: PrepareOptions = {}): PreparedLab {
  const loaded = loadLab(nameOrPath, { cwd: options.cwd, families: options.families })
  const mode = labProxyMode(loaded, options.mode)
  const { steps, leftOut } = stepsInMode(loaded, options.mode, mode)
  const kubeProxy =
    loaded.kubeProxy === false || mode === undefined ? loaded.kubeProxy : { ...loaded.kubeProxy, mode }
  const lab = { ...loaded, steps, kubeProxy }
  const cwd = options.cwd ?? process.cwd()
  const files = lab.manifests.map((path) => {
    const shown = shortPath(path, cwd)
    return { path: shown, text: readText(path, { shown }) }
  })
  const ignoreKinds = new Set([...lab.ignore, ...(options.ignoreKinds ?? [])])
  const { objects, notices } = parseManifests(files, { ignoreKinds, namespace: lab.namespace })
  const { nodes, ranges, families, loadBalancer } = lab
  const ingressControllers = lab.ingress.map(controllerRef)
  const exists = hostPrograms()
  const isStrict = options.commands === 'strict'
  const commands = { exists: isStrict ? () => true : exists, images: lab.images }
  const clusterOptions = { nodes, ranges, families, loadBalancer, ingressControllers, commands }
  const dns = lab.dns && { around: namesAround(lab), program: dnsProgram() }
  const all = [
    ...objects,
    ...(dns === undefined ? [] : dnsObjects(lab, dns.program)),
    ...lab.ingress.flatMap((spec) => controllerObjects(spec, lab.families, objects)),
  ]
  const cluster = buildCluster(all, clusterOptions)
  if (options.mode !== undefined && loaded.proxy.mode === undefined && loaded.proxy.modes === undefined) {
    const why = whyUnsupported(modeOf(options.mode), cluster)
    if (why !== undefined) throw new OwnModeError(options.mode, why, lab.at(['manifests']))
  }
  const missing = [
    ...needProblems(cluster, all),
    ...(isStrict ? commandProblems({ ...cluster, commands: { ...commands, exists } }, all) : []),
  ]
  if (missing.length > 0) throw new InputError(missing)
  const topology = layOut(cluster, lab.clients, ranges, lab.families, lab.network)
  const state = labState(cluster, topology)
  return {
    ...state,
    lab,
    objects: all,
    warnings: apiWarnings(objects),
    clusterOptions,
    dns: dns && { ...dns, outside: outsideDns(lab, topology) },
    abilities: { nfacct: findTool('nfacct') !== undefined, randomFully: true },
    kubeProxy: labKubeProxy(lab, cluster, options.kubeProxyBinary),
    steps: resolveLab(lab, state.names, {
      ignoreKinds,
      foresee: createForesight(state, clusterOptions),
    }),
    checksSkipped: leftOut,
    ignoreKinds,
    notices: [
      ...notices,
      ...kubeProxyNotices(lab, cluster),
      ...clusterNotices(cluster, objects),
      ...leftOutNotice(leftOut, options.mode),
      ...withoutFaults(nameOrPath, options),
    ],
  }
}

/** What starts an exercise does more than start its lab. */
function withoutFaults(nameOrPath: string, options: PrepareOptions): string[] {
  if (faultsOfLab(nameOrPath, options).faults.length === 0) return []
  return [
    `this is the lab without the faults of its exercise; \`vethlab workshop start ${nameOrPath}\` starts it with them`,
  ]
}

function leftOutNotice(count: number, mode: ModeName | undefined): string[] {
  if (count === 0 || mode === undefined) return []
  const checks = count === 1 ? '1 check' : `${count} checks`
  return [`mode ${mode}: ${checks} about ${leftOutSubject(modeOf(mode))} left out`]
}

function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path)
  return short.startsWith('..') ? path : short
}
