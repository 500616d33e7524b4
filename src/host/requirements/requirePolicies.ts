import { CannotRunError } from '../../errors.js'
import { install } from '../doctor/install.js'
import { policyRequirements } from '../doctor/requirements.js'
import { findTool } from '../environment.js'
import { modulesOf, remedyOf, unmetRequirements } from './kernelRequirements.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** Checks that NetworkPolicies can be enforced in a sandbox. Throws CannotRunError with the missing requirements and the fix. */
export async function requirePolicies(sandbox: Sandbox): Promise<void> {
  const without = 'NetworkPolicies cannot be enforced on this host; missing:'
  if (findTool('ipset') === undefined) throw new CannotRunError(`${without} ipset`, install(['ipset']))
  const missing = await unmetRequirements(sandbox, policyRequirements)
  if (missing.length === 0) return
  throw new CannotRunError(`${without} kernel modules ${modulesOf(missing).join(', ')}`, remedyOf(missing))
}
