import type { Cluster, Pod } from '../../cluster/types.js'

/** A container of a pod, as a key. */
export function containerKey({ metadata }: Pod, container: string): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name} ${container}`
}

/**
 * Containers that have failed and are not up again, one line each. `lastLines` has those that have ended, also if they run again and
 * are not up yet: the last line of their output, by key.
 */
export function failedContainers({ pods }: Cluster, lastLines: ReadonlyMap<string, string>): string[] {
  return pods.flatMap((one) => {
    const { metadata, status } = one
    return (status?.containerStatuses ?? []).flatMap(({ name, state, lastState, restartCount }) => {
      const lastLine = lastLines.get(containerKey(one, name))
      const isUp = state?.waiting === undefined && lastLine === undefined
      const ended = state?.terminated ?? (isUp ? undefined : lastState?.terminated)
      if (ended === undefined || ended.exitCode === 0) return []
      const pod = `${metadata.namespace ?? 'default'}/${metadata.name}`
      const restarts = restartCount === 0 ? '' : `, ${restartCount} restart${restartCount === 1 ? '' : 's'}`
      const code = ended.exitCode === 127 ? '127: a command was not found' : String(ended.exitCode)
      return [
        `pod ${pod} is not ready: container ${name} ended with exit code ${code} (${state?.waiting?.reason ?? ended.reason}${restarts})` +
          (lastLine === undefined || lastLine === '' ? '' : `: ${lastLine.slice(0, 200)}`),
      ]
    })
  })
}
