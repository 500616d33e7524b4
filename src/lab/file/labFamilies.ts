import type { IpFamily } from '../../net/ipFamily.js'
import { OwnFamiliesError } from '../../errors.js'
import type { YamlFile } from './readYaml.js'

/**
 * The address families of a lab, the primary one first. Throws OwnFamiliesError if others are requested than the lab
 * sets: its checks are written for those.
 */
export function labFamilies(
  stated: readonly IpFamily[] | undefined,
  asked: readonly IpFamily[] | undefined,
  { at }: Pick<YamlFile, 'at'>,
): readonly IpFamily[] {
  const families = stated ?? asked ?? ['IPv4']
  if (asked === undefined || asked.join() === families.join()) return families
  const message = `the lab sets ${families.join(' and ')}: it cannot run with ${asked.join(' and ')}`
  throw new OwnFamiliesError(message, at(['topology', 'families']))
}
