import { InputError } from '../errors.js'
import { writtenConfigurations, type WrittenConfiguration } from '../host/ingress/writtenConfigurations.js'
import { joinSandbox } from '../host/sandbox/sandbox.js'
import { didYouMean } from '../text/nearestName.js'
import type { UpLab } from '../up/upLab.js'

/**
 * The configurations that the ingress controllers of a running lab, or the named one, have written for their proxies.
 * Throws InputError if there is no controller, or none with that name.
 */
export function ingressConfigurations(
  { lab, pid, rootless }: UpLab,
  controller?: string,
): WrittenConfiguration[] {
  const written = writtenConfigurations(joinSandbox(pid, rootless))
  if (written.length === 0) throw new InputError([{ message: `the lab "${lab}" has no ingress controller` }])
  const found = written.filter(({ name }) => controller === undefined || name === controller)
  if (found.length > 0) return found
  const names = written.map(({ name }) => name)
  const hint = didYouMean(controller ?? '', names) ?? `controllers: ${names.join(', ')}`
  throw new InputError([{ message: `there is no ingress controller "${controller}"`, hint }])
}
