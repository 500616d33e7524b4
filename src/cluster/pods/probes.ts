import type { Container, Pod, Probe } from '../types.js'
import { isEchoContainer, type CommandData } from './containerCommand.js'

/**
 * Whether a container's probe runs. The echo server has neither gRPC nor TLS, and the programs of its image are missing: of
 * containers that it replaces, probes that need these are not run and count as successful, which a notice reports.
 */
export function isProbeRun(pod: Pod, container: Container, probe: Probe, data: CommandData): boolean {
  if (!isEchoContainer(pod, container, data)) return true
  const [program = ''] = probe.exec?.command ?? []
  if (probe.grpc !== undefined || probe.httpGet?.scheme?.toUpperCase() === 'HTTPS') return false
  return program === '' || data.commands === undefined || data.commands.exists(program)
}

/** The probes of a container. */
export function probesOf({ startupProbe, readinessProbe, livenessProbe }: Container): Probe[] {
  return [startupProbe, readinessProbe, livenessProbe].filter((probe) => probe !== undefined)
}
