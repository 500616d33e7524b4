import { CannotRunError } from '../../errors.js'
import { install } from '../doctor/install.js'
import { nativePolicyRequirements, policyRequirements } from '../doctor/requirements.js'
import { findTool } from '../environment.js'
import { modulesOf, remedyOf, unmetRequirements } from './kernelRequirements.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/**
 * Checks that NetworkPolicies can be enforced in a sandbox: by a table of nftables if they are `native`, otherwise by iptables and ipset.
 * Throws CannotRunError with the missing requirements and the fix.
 */
export async function requirePolicies(sandbox: Sandbox, native: boolean): Promise<void> {
  const without = 'NetworkPolicies cannot be enforced on this host; missing:'
  const [tool, requirements] = native
    ? (['nft', nativePolicyRequirements] as const)
    : (['ipset', policyRequirements] as const)
  if (findTool(tool) === undefined)
    throw new CannotRunError(`${without} ${tool}`, install([native ? 'nftables' : 'ipset']))
  const missing = await unmetRequirements(sandbox, requirements)
  if (missing.length === 0) return
  throw new CannotRunError(`${without} kernel modules ${modulesOf(missing).join(', ')}`, remedyOf(missing))
}
