import { listLabs } from '../../../src/lab/file/findLab.js'
import type { PrepareOptions } from '../../../src/lab/plan/prepareOptions.js'
import { prepareLab, type PreparedLab } from '../../../src/lab/plan/prepareLab.js'
import type { StepAction } from '../../../src/lab/types.js'

/** More pods than this take noticeably longer to remove. */
const manyPods = 50

/** A step that a run of a lab begins. */
export interface LabStep {
  /** The lab and its options, as arguments of `vethlab run`. */
  readonly args: readonly string[]
  readonly lab: string
  readonly name: string
  readonly index: number
  /** What the step does: `curl`, `scale`, `load of curl`. */
  readonly action: string
  /** What else a run has to end: the kube-proxies of the lab, its controllers, many pods, a load. */
  readonly setting: string
  /** How much is built and done before it, for comparisons: pods and steps. */
  readonly before: number
}

/** The steps of all labs, and those of two labs in settings that no lab of its own has: mode nftables, and a kube-proxy binary. */
export function stepsOfLabs(options: {
  readonly kubeProxyBinary: string
  readonly nftables: boolean
}): LabStep[] {
  const { kubeProxyBinary, nftables } = options
  return [
    ...listLabs().flatMap((lab) => stepsOf(lab, [])),
    ...(nftables ? stepsOf('proxy-modes', ['--mode', 'nftables'], { mode: 'nftables' }) : []),
    ...stepsOf('nodeport', ['--kube-proxy', kubeProxyBinary], { kubeProxyBinary }),
  ]
}

/** Steps by what a function returns for them. */
export function groupSteps(
  steps: readonly LabStep[],
  kindOf: (step: LabStep) => string,
): ReadonlyMap<string, readonly LabStep[]> {
  const groups = new Map<string, LabStep[]>()
  for (const step of steps) groups.set(kindOf(step), [...(groups.get(kindOf(step)) ?? []), step])
  return groups
}

function stepsOf(path: string, args: readonly string[], options: PrepareOptions = {}): LabStep[] {
  const prepared = prepareLab(path, options)
  const { lab, topology } = prepared
  const loads = new Set<string>()
  return lab.steps.flatMap(({ name, action, leftOut }, index) => {
    if (leftOut !== undefined) return []
    const setting = [...settingsOf(prepared), ...(loads.size > 0 ? ['beside a load'] : [])].join(', ')
    if (action.kind === 'load') loads.add(action.load)
    if (action.kind === 'stop') loads.delete(action.load)
    const before = topology.pods.length + index
    return {
      args: [lab.name, ...args],
      lab: lab.name,
      name,
      index,
      action: actionOf(action),
      setting,
      before,
    }
  })
}

function actionOf(action: StepAction): string {
  if (action.kind === 'change') return action.written.verb
  return action.kind === 'load' ? `load of ${action.request.kind}` : action.kind
}

function settingsOf({ kubeProxy, lab, topology }: PreparedLab): string[] {
  return [
    kubeProxy.kind === 'none' ? 'no kube-proxy' : kubeProxy.mode.name,
    ...(kubeProxy.kind === 'binary' ? ['kube-proxy binary'] : []),
    ...(lab.ingress.length > 0 ? ['ingress controller'] : []),
    ...(topology.pods.length > manyPods ? ['many pods'] : []),
  ]
}
