import { existsSync } from 'node:fs'
import { ModeNotHereError } from '../../errors.js'
import { install } from '../doctor/install.js'
import { ipvsRequirements, type KernelRequirement } from '../doctor/requirements.js'
import { findTool } from '../environment.js'
import { modulesOf, remedyOf, unmetRequirements } from './kernelRequirements.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** Why a lab with IPVS has no user namespace: the netlink family of IPVS requires CAP_NET_ADMIN on the host. */
export const ipvsWeakness = 'the kernel allows IPVS only for the root of the host'

/**
 * Checks the requirements of mode ipvs in a temporary network namespace of the sandbox; as root, available modules are
 * loaded. Throws ModeNotHereError with the missing requirements and the command that fixes them.
 */
export async function requireIpvs(sandbox: Sandbox, scheduler: string): Promise<void> {
  const tools = ['ipvsadm', 'ipset'].filter((tool) => findTool(tool) === undefined)
  if (tools.length > 0) throw new ModeNotHereError('ipvs', tools.join(', '), install(tools))
  const missing = await unmetRequirements(sandbox, [...ipvsRequirements, ofScheduler(scheduler)])
  if (missing.length === 0) return
  if (sandbox.rootless && existsSync('/proc/net/ip_vs'))
    throw new ModeNotHereError(
      'ipvs',
      'root (the kernel allows IPVS only for the root of the host)',
      'sudo vethlab …',
    )
  const unknown = missing.length === 1 && missing[0]?.name === schedulerName
  if (unknown) throw new ModeNotHereError('ipvs', `the IPVS scheduler ${scheduler}`, remedyOf(missing))
  throw new ModeNotHereError('ipvs', `kernel modules ${modulesOf(missing).join(', ')}`, remedyOf(missing))
}

const schedulerName = 'scheduler'

function ofScheduler(scheduler: string): KernelRequirement {
  return {
    name: schedulerName,
    modules: [`ip_vs_${scheduler}`],
    option: `CONFIG_IP_VS_${scheduler.toUpperCase()}`,
    commands: [`ipvsadm -A -t 198.51.100.0:20001 -s ${scheduler}`],
  }
}
