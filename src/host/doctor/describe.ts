import type { Diagnosis } from './diagnose.js'
import { isRequiredLack, type Finding } from './finding.js'

const titles: Readonly<Record<Finding['group'], string>> = {
  node: 'Node',
  tools: 'Tools',
  kernel: 'Kernel',
  iptables: 'iptables',
  rootless: 'Rootless',
  limits: 'Limits',
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const widest = 100

/** Colours text of a finding; returns it unchanged without colour. */
export type Paint = (finding: Finding, text: string) => string

/** A diagnosis as text: ✔ works, ✖ required and missing, – optional and missing, or not checked. */
export function describeDiagnosis(
  diagnosis: Diagnosis,
  paint: Paint = (_, text) => text,
  columns = widest,
): string {
  const { kernel, architecture, system, rootless, findings } = diagnosis
  const width = Math.max(...findings.map((finding) => finding.name.length))
  const wide = Math.max(width + 30, Math.min(columns, widest))
  const groups = (Object.keys(titles) as Finding['group'][]).flatMap((group) => {
    const lines = findings
      .filter((finding) => finding.group === group)
      .flatMap((finding) => describe(finding, width, paint, wide))
    return lines.length === 0 ? [] : ['', titles[group], ...lines]
  })
  const host = `Linux ${kernel} (${architecture}), ${system}, ${rootless ? 'not root: labs run rootless' : 'root'}`
  return [host, ...groups, '', verdict(findings), ''].join('\n')
}

function describe(finding: Finding, width: number, paint: Paint, columns: number): string[] {
  const { name, status, detail, neededFor, remedy } = finding
  const margin = ' '.repeat(width + 6)
  const head = `${paint(finding, markOf(finding))} ${name.padEnd(width)}`
  if (status === 'ok') return wrap(`  ${head}  ${detail ?? ''}`.trimEnd(), margin, columns)
  if (status === 'unknown') return [`  ${head}  not checked`]
  const what = detail === undefined || detail === '' ? 'missing' : detail
  const first = `  ${head}  ${what}; needed for ${neededFor}${finding.required ? '' : ' (optional)'}`
  return [...wrap(first, margin, columns), ...remedyLines(remedy ?? '', margin, columns)]
}

/** Commands are not broken, so that they can be copied: alternatives get a line each where one line is too narrow. */
function remedyLines(remedy: string, margin: string, columns: number): string[] {
  if (remedy === '') return []
  if (margin.length + remedy.length <= columns) return [margin + remedy]
  const parts = remedy.split('; ')
  const own = Math.max(...parts.map((part) => part.length)) + margin.length > columns ? ' '.repeat(6) : margin
  return parts.map((part) => own + part)
}

// Colour codes count as columns here: lines with colours break a little early.
function wrap(text: string, margin: string, columns: number): string[] {
  if (text.length <= columns) return [text]
  const at = text.lastIndexOf(' ', columns)
  if (at <= margin.length) return [text]
  return [text.slice(0, at), ...wrap(margin + text.slice(at + 1), margin, columns)]
}

function markOf(finding: Finding): string {
  if (finding.status === 'ok') return '✔'
  return isRequiredLack(finding) ? '✖' : '–'
}

function verdict(findings: readonly Finding[]): string {
  const required = findings.filter(isRequiredLack).length
  const optional = findings.filter((finding) => finding.status === 'missing' && !finding.required).length
  const also =
    optional === 0
      ? ''
      : `; ${optional} optional ${optional === 1 ? 'requirement is' : 'requirements are'} missing`
  if (required === 0) return `This host can run labs${also}.`
  return `This host cannot run labs: ${required} ${required === 1 ? 'requirement is' : 'requirements are'} missing${also}.`
}
