import type { Pod, PodCondition } from '../types.js'

/** The conditions that kubelet reports, in its order. */
const ofKubelet = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']

/**
 * The conditions of a pod on a node, as kubelet reports them (generateAPIPodStatus): those of other writers first, its own
 * with the containers that are not ready. `since` is when those began that the cluster does not record, RFC 3339.
 */
export function podConditions(
  { spec, status = {} }: Pod,
  since: string,
  isReady: (container: string) => boolean,
): readonly PodCondition[] {
  const { phase = 'Pending', conditions = [] } = status
  const isOver = phase === 'Succeeded' || phase === 'Failed'
  const names = spec.containers.map(({ name }) => name).filter((name) => !isReady(name))
  const notReady = {
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${names.join(' ')}]`,
  }
  const why =
    phase === 'Succeeded'
      ? { reason: 'PodCompleted' }
      : phase === 'Failed'
        ? { reason: 'PodFailed' }
        : notReady
  const own = ofKubelet.map((type): PodCondition => {
    const stated = conditions.find((one) => one.type === type)
    const isTrue =
      type === 'PodScheduled' ||
      type === 'Initialized' ||
      (type === 'PodReadyToStartContainers' && phase === 'Running')
    const { status: is = isTrue ? 'True' : 'False', ...rest } = stated ?? {}
    const isUnready = is === 'False' && (type === 'Ready' || type === 'ContainersReady')
    return {
      ...{ type, status: is, lastTransitionTime: since },
      ...(isUnready && (names.length > 0 || isOver) ? why : {}),
      ...rest,
    }
  })
  return [...conditions.filter(({ type }) => !ofKubelet.includes(type)), ...own]
}
