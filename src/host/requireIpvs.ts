import { existsSync } from 'node:fs'
import { release } from 'node:os'
import { ModeNotHereError } from '../errors.js'
import { ipvsRequirements, type IpvsRequirement } from './doctor/requirements.js'
import { findTool } from './environment.js'
import { install } from './doctor/install.js'
import type { Sandbox } from './sandbox/sandbox.js'

const netns = 'vethlab-ipvs-probe'

/** Why a lab with IPVS has no user namespace: the netlink family of IPVS requires CAP_NET_ADMIN on the host. */
export const ipvsWeakness = 'the kernel allows IPVS only for the root of the host'

/**
 * Checks the requirements of mode ipvs in a temporary network namespace of the sandbox; as root, available modules are
 * loaded. Throws ModeNotHereError with the missing requirements and the command that fixes them.
 */
export async function requireIpvs(sandbox: Sandbox, scheduler: string): Promise<void> {
  const tools = ['ipvsadm', 'ipset'].filter((tool) => findTool(tool) === undefined)
  if (tools.length > 0) throw new ModeNotHereError('ipvs', tools.join(', '), install(tools))
  const wanted = [...ipvsRequirements, ofScheduler(scheduler)]
  let missing = await unmet(sandbox, wanted)
  if (missing.length > 0 && !sandbox.rootless && findTool('modprobe') !== undefined) {
    // not every module is loaded on first use
    await sandbox.run(['modprobe', '-q', '-a', ...modulesOf(missing)])
    missing = await unmet(sandbox, wanted)
  }
  if (missing.length === 0) return
  if (sandbox.rootless && existsSync('/proc/net/ip_vs'))
    throw new ModeNotHereError(
      'ipvs',
      'root (the kernel allows IPVS only for the root of the host)',
      'sudo vethlab …',
    )
  const unknown = missing.length === 1 && missing[0]?.name === schedulerName
  if (unknown) throw new ModeNotHereError('ipvs', `the IPVS scheduler ${scheduler}`, remedy(missing))
  throw new ModeNotHereError('ipvs', `kernel modules ${modulesOf(missing).join(', ')}`, remedy(missing))
}

const schedulerName = 'scheduler'

function ofScheduler(scheduler: string): IpvsRequirement {
  return {
    name: schedulerName,
    modules: [`ip_vs_${scheduler}`],
    option: `CONFIG_IP_VS_${scheduler.toUpperCase()}`,
    commands: [`ipvsadm -A -t 198.51.100.0:20001 -s ${scheduler}`],
  }
}

/** The requirements whose commands fail. A command is split at blanks; no shell runs it. */
async function unmet(
  sandbox: Sandbox,
  requirements: readonly IpvsRequirement[],
): Promise<readonly IpvsRequirement[]> {
  await sandbox.must('making a namespace', ['ip', 'netns', 'add', netns])
  const missing: IpvsRequirement[] = []
  for (const requirement of requirements) if (!(await works(sandbox, requirement))) missing.push(requirement)
  await sandbox.must('removing it', ['ip', 'netns', 'del', netns])
  return missing
}

async function works(sandbox: Sandbox, { commands }: IpvsRequirement): Promise<boolean> {
  for (const command of commands) {
    const { exitCode } = await sandbox.run(command.split(' '), { netns })
    if (exitCode !== 0) return false
  }
  return true
}

function modulesOf(requirements: readonly IpvsRequirement[]): string[] {
  return [...new Set(requirements.flatMap(({ modules }) => modules))]
}

/** The command that loads the modules; for a kernel without modules, the options that another kernel needs. */
function remedy(missing: readonly IpvsRequirement[]): string {
  if (existsSync(`/lib/modules/${release()}`)) return `sudo modprobe -a ${modulesOf(missing).join(' ')}`
  const options = new Set(missing.flatMap(({ option }) => option.split(', ')))
  return `a kernel with ${[...options].join(', ')}, or npm run test:vm, which boots one in a virtual machine`
}
