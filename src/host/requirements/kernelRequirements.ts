import { existsSync } from 'node:fs'
import { release } from 'node:os'
import type { KernelRequirement } from '../doctor/requirements.js'
import { findTool } from '../environment.js'
import type { Sandbox } from '../sandbox/sandbox.js'

const netns = 'vethlab-kernel-probe'

/**
 * The requirements whose commands fail in a temporary network namespace of the sandbox; as root, available modules are loaded. A command
 * is split at blanks; no shell runs it.
 */
export async function unmetRequirements(
  sandbox: Sandbox,
  requirements: readonly KernelRequirement[],
): Promise<readonly KernelRequirement[]> {
  const missing = await failing(sandbox, requirements)
  if (missing.length === 0 || sandbox.rootless || findTool('modprobe') === undefined) return missing
  // not every module is loaded on first use
  await sandbox.run(['modprobe', '-q', '-a', ...modulesOf(missing)])
  return failing(sandbox, requirements)
}

async function failing(
  sandbox: Sandbox,
  requirements: readonly KernelRequirement[],
): Promise<readonly KernelRequirement[]> {
  await sandbox.must('making a namespace', ['ip', 'netns', 'add', netns])
  const missing: KernelRequirement[] = []
  for (const requirement of requirements) if (!(await works(sandbox, requirement))) missing.push(requirement)
  await sandbox.must('removing it', ['ip', 'netns', 'del', netns])
  return missing
}

async function works(sandbox: Sandbox, { commands }: KernelRequirement): Promise<boolean> {
  for (const command of commands) {
    const { exitCode } = await sandbox.run(command.split(' '), { netns })
    if (exitCode !== 0) return false
  }
  return true
}

/** The modules of some requirements. */
export function modulesOf(requirements: readonly KernelRequirement[]): string[] {
  return [...new Set(requirements.flatMap(({ modules }) => modules))]
}

/** The command that loads the modules; for a kernel without modules, the options that another kernel needs. */
export function remedyOf(missing: readonly KernelRequirement[]): string {
  if (existsSync(`/lib/modules/${release()}`)) return `sudo modprobe -a ${modulesOf(missing).join(' ')}`
  const options = new Set(missing.flatMap(({ option }) => option.split(', ')))
  return `a kernel with ${[...options].join(', ')}, or npm run test:vm, which boots one in a virtual machine`
}
