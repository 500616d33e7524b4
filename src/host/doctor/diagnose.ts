import { readFileSync } from 'node:fs'
import { arch, release } from 'node:os'
import { captureFinding } from './captureFinding.js'
import { isRequiredLack, type Finding } from './finding.js'
import { kernelFindings } from './kernelFindings.js'
import { nodeFinding } from './nodeFinding.js'
import { toolFindings } from './toolFindings.js'
import { rootlessFinding } from './userNamespaces.js'
import { requireLinux } from '../environment.js'
import { makeLabGroup } from '../groups/labGroup.js'

/** Which requirements of labs this host meets. */
export interface Diagnosis {
  /** True if every required finding is ok. */
  readonly ok: boolean
  readonly kernel: string
  readonly architecture: string
  readonly system: string
  /** True without root: labs run in user namespaces. */
  readonly rootless: boolean
  readonly findings: readonly Finding[]
}

/** Checks this host; all checks run at once, in temporary sandboxes. */
export async function diagnose(): Promise<Diagnosis> {
  requireLinux()
  const rootless = process.getuid?.() !== 0
  const [tools, kernel, capture, user, limits] = await Promise.all([
    toolFindings(),
    kernelFindings(rootless),
    captureFinding(),
    rootlessFinding(rootless),
    limitsFinding(),
  ])
  const findings = [nodeFinding(), ...tools, ...kernel, capture, user, limits]
  return {
    ok: !findings.some(isRequiredLack),
    kernel: release(),
    architecture: arch(),
    system: systemName(),
    rootless,
    findings,
  }
}

/** The name of the distribution (os-release(5)). */
function systemName(): string {
  try {
    const text = readFileSync('/etc/os-release', 'utf8')
    return /^PRETTY_NAME="?(.*?)"?$/m.exec(text)?.[1] ?? 'Linux'
  } catch {
    return 'Linux'
  }
}

/** Whether labs get limits of memory and tasks: tried as labs do it. */
async function limitsFinding(): Promise<Finding> {
  const group = makeLabGroup()
  const finding = {
    group: 'limits',
    name: 'limits',
    required: false,
    neededFor: 'limits of memory and processes of a lab',
  } as const
  if (typeof group !== 'string') {
    await group.remove()
    return { ...finding, status: 'ok' }
  }
  const outside = 'limit vethlab itself: systemd-run --scope -p MemoryMax=4G -p TasksMax=8192 vethlab …'
  const remedy = process.getuid?.() === 0 ? outside : `use sudo; ${outside}`
  return { ...finding, status: 'missing', detail: group, remedy }
}
