import type { Cluster } from '../../cluster/types.js'

/** Containers that have failed and wait for their restart or do not restart, one line each. */
export function failedContainers({ pods }: Cluster): string[] {
  return pods.flatMap(({ metadata, status }) =>
    (status?.containerStatuses ?? []).flatMap(({ name, state, lastState, restartCount }) => {
      const ended = state?.terminated ?? (state?.waiting === undefined ? undefined : lastState?.terminated)
      if (ended === undefined || ended.exitCode === 0) return []
      const pod = `${metadata.namespace ?? 'default'}/${metadata.name}`
      const restarts = restartCount === 0 ? '' : `, ${restartCount} restart${restartCount === 1 ? '' : 's'}`
      const code = ended.exitCode === 127 ? '127: a command was not found' : String(ended.exitCode)
      return [
        `pod ${pod} is not ready: container ${name} ended with exit code ${code} (${state?.waiting?.reason ?? ended.reason}${restarts})`,
      ]
    }),
  )
}
