import { labelsText } from '../../cluster/columns/selectorText.js'
import type { Container, PodTemplate } from '../../cluster/types.js'
import { printableLines } from '../../text/printable.js'
import type { Section } from './describer.js'

/** The template of a workload: its labels, and of each container what decides how it runs. */
export function templateSection({ metadata, spec }: PodTemplate): Section {
  const { nodeSelector, serviceAccountName } = spec
  const account = typeof serviceAccountName === 'string' ? [`Service Account:  ${serviceAccountName}`] : []
  const lines = [
    `Labels:  ${labelsText(metadata?.labels)}`,
    ...account,
    ...containerLines('Init Containers', spec.initContainers),
    ...containerLines('Containers', spec.containers),
    `Node-Selectors:  ${labelsText(nodeSelector)}`,
  ]
  return { heading: 'Pod Template', lines: lines.flatMap(printableLines) }
}

function containerLines(heading: string, containers: readonly Container[] = []): string[] {
  if (containers.length === 0) return []
  return [
    `${heading}:`,
    ...containers.flatMap(({ name, image, ports = [], command = [], args = [], env = [] }) => [
      ` ${name}:`,
      ...fields([
        ['Image', [image]],
        ['Port', ports.map(({ containerPort, protocol = 'TCP' }) => `${containerPort}/${protocol}`)],
        ['Command', command],
        ['Args', args],
        ['Environment', env.map(({ name: key, value = '(from another object)' }) => `${key}=${value}`)],
      ]),
    ]),
  ]
}

function fields(all: readonly (readonly [string, readonly string[]])[]): string[] {
  return all.flatMap(([name, values]) =>
    values.length === 0
      ? []
      : values.length === 1
        ? [`   ${name}:  ${values[0] ?? ''}`]
        : [`   ${name}:`, ...values.map((value) => `     ${value}`)],
  )
}
