import { existsSync } from 'node:fs'
import { release } from 'node:os'
import { ModeNotHereError } from '../errors.js'
import { ipvsRequirements, type IpvsRequirement } from './doctor/requirements.js'
import { findTool } from './environment.js'
import { install } from './doctor/install.js'
import type { Sandbox } from './sandbox/sandbox.js'

const netns = 'vethlab-ipvs-probe'

/** Why a lab with IPVS has no user namespace: ip_vs(8)'s netlink family asks for CAP_NET_ADMIN on the host. */
export const ipvsWeakness = 'the kernel lets no other root set up IPVS'

/**
 * Tries out what mode ipvs asks of this machine, in a namespace of the sandbox that is removed again; as root, modules
 * that are there are loaded. Throws ModeNotHereError with what is lacking, and how to bring it.
 */
export async function requireIpvs(sandbox: Sandbox, scheduler: string): Promise<void> {
  const tools = ['ipvsadm', 'ipset'].filter((tool) => findTool(tool) === undefined)
  if (tools.length > 0) throw new ModeNotHereError('ipvs', tools.join(', '), install(tools.join(' ')))
  const wanted = [...ipvsRequirements, ofScheduler(scheduler)]
  let lacking = await lacks(sandbox, wanted)
  if (lacking.length > 0 && !sandbox.rootless && findTool('modprobe') !== undefined) {
    // not every module is loaded by its use
    await sandbox.run(['modprobe', '-q', '-a', ...modulesOf(lacking)])
    lacking = await lacks(sandbox, wanted)
  }
  if (lacking.length === 0) return
  if (sandbox.rootless && existsSync('/proc/net/ip_vs'))
    throw new ModeNotHereError('ipvs', 'a kernel that lets others than root set up IPVS', 'sudo vethlab …')
  const unknown = lacking.length === 1 && lacking[0]?.name === schedulerName
  if (unknown) throw new ModeNotHereError('ipvs', `the scheduler ${scheduler}`, remedy(lacking))
  throw new ModeNotHereError('ipvs', `kernel modules ${modulesOf(lacking).join(', ')}`, remedy(lacking))
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

/** What does not work. A command is split into its words: none is read by a shell. */
async function lacks(
  sandbox: Sandbox,
  requirements: readonly IpvsRequirement[],
): Promise<readonly IpvsRequirement[]> {
  await sandbox.must('making a namespace', ['ip', 'netns', 'add', netns])
  const lacking: IpvsRequirement[] = []
  for (const requirement of requirements) if (!(await works(sandbox, requirement))) lacking.push(requirement)
  await sandbox.must('removing it', ['ip', 'netns', 'del', netns])
  return lacking
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

/** Modules to load where the kernel has some; else what to look for in another kernel. */
function remedy(lacking: readonly IpvsRequirement[]): string {
  if (existsSync(`/lib/modules/${release()}`)) return `sudo modprobe -a ${modulesOf(lacking).join(' ')}`
  const options = new Set(lacking.flatMap(({ option }) => option.split(', ')))
  return `a kernel with ${[...options].join(', ')}, or npm run test:vm, which boots one in a virtual machine`
}
