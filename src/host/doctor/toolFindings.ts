import { existsSync } from 'node:fs'
import { execa } from 'execa'
import pLimit from 'p-limit'
import { brokenTool, findTool, asTool } from '../environment.js'
import type { Finding } from './finding.js'
import { install } from './install.js'
import { toolRequirements, type ToolRequirement } from './requirements.js'

/** Starting a process keeps this one busy: with few at a time, signals and deadlines are noticed between them. */
const parallel = 4
/** Only a tool that hangs prints its version later, on a busy host too. */
const hangsMs = 30_000

/** Each tool with the version that it prints. */
export async function toolFindings(): Promise<Finding[]> {
  return pLimit(parallel).map(toolRequirements, toolFinding)
}

async function toolFinding(tool: ToolRequirement): Promise<Finding> {
  const found = tool.files === undefined ? await askVersion(tool) : await lookForFile(tool.files)
  return {
    group: 'tools',
    name: tool.name,
    status: found.ok ? 'ok' : 'missing',
    required: tool.required,
    neededFor: tool.for,
    detail: found.detail,
    remedy: found.ok ? undefined : install([tool.package]),
  }
}

interface Found {
  readonly ok: boolean
  readonly detail?: string | undefined
}

async function askVersion(tool: ToolRequirement): Promise<Found> {
  const file = findTool(tool.name)
  if (file === undefined) {
    const broken = brokenTool(tool.name)
    return { ok: false, detail: broken && `${broken} is not executable` }
  }
  const said = await execa(file, tool.version, {
    ...asTool(),
    all: true,
    timeout: hangsMs,
  })
  // nc prints its version only with an error, so only a failure to start means that the tool is broken
  if (said.exitCode === undefined) return { ok: false, detail: said.shortMessage }
  return { ok: true, detail: versionIn(said.all) }
}

/** The version in what a tool prints. Messages of modprobe, which ipvsadm starts, have the version of the kernel. */
export function versionIn(text: string): string | undefined {
  const own = text.replace(/^modprobe: .*$/gm, '')
  return /\d[\w.]*\.\d[\w.-]*( \((nf_tables|legacy)\))?|\d{2,}/.exec(own)?.[0]
}

async function lookForFile(files: readonly string[]): Promise<Found> {
  const file = files.find((candidate) => existsSync(candidate))
  if (file !== undefined) return { ok: true, detail: file }
  // nginx.org's packages have the stream module built in, without a file of its own
  const nginx = findTool('nginx')
  if (nginx === undefined) return { ok: false }
  const said = await execa(nginx, ['-V'], {
    ...asTool(),
    timeout: hangsMs,
  })
  return /--with-stream(\s|$)/.test(said.stderr) ? { ok: true, detail: 'built into nginx' } : { ok: false }
}
