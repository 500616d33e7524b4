import type { IpFamily } from '../../net/ipFamily.js'
import { OwnFamiliesError } from '../../errors.js'
import type { YamlFile } from './readYaml.js'

/**
 * The address families of a lab, the primary one first. Throws OwnFamiliesError where others are asked for than the lab
 * states: what it is about holds for those alone.
 */
export function labFamilies(
  stated: readonly IpFamily[] | undefined,
  asked: readonly IpFamily[] | undefined,
  { at }: Pick<YamlFile, 'at'>,
): readonly IpFamily[] {
  const families = stated ?? asked ?? ['IPv4']
  if (asked === undefined || asked.join() === families.join()) return families
  const message = `the lab is one of ${families.join(' and ')}: ${asked.join(' and ')} cannot be asked of it`
  throw new OwnFamiliesError(message, at(['topology', 'families']))
}
