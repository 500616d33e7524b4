import { securityForm } from './podForm.js'
import { internalForm } from './internalForm.js'
import { isRecord } from '../manifests/loose.js'
import { invalid, required } from './fieldErrors.js'
import { all, between, each, fields, filled, supported, type Rule } from './rules.js'

const id = between(0, 2 ** 31 - 1)

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']

function profile(name: string, field: string): Rule {
  return (path, value) => {
    if (!isRecord(value)) return []
    const { type, localhostProfile } = value
    const at = [...path, 'localhostProfile']
    return [
      ...filled(`type is required when ${field} is set`)([...path, 'type'], type),
      ...(type === '' ? [] : supported(profileTypes)([...path, 'type'], type)),
      ...(type === 'Localhost' && localhostProfile === undefined
        ? [required(at, `must be set when ${name} type is Localhost`)]
        : []),
      ...(type !== 'Localhost' && localhostProfile !== undefined
        ? [invalid(at, localhostProfile, `can only be set when ${name} type is Localhost`)]
        : []),
    ]
  }
}

const profiles = {
  seccompProfile: profile('seccomp', 'seccompProfile'),
  appArmorProfile: profile('AppArmor', 'appArmorProfile'),
}

/** A process with all rights cannot be kept from getting more. The message has the whole context. */
const escalation: Rule = (path, value) => {
  if (!isRecord(value) || value['allowPrivilegeEscalation'] !== false) return []
  const { privileged, capabilities } = value
  const added = isRecord(capabilities) && Array.isArray(capabilities['add']) ? capabilities['add'] : []
  const cannot = (what: string) =>
    invalid(
      path,
      internalForm(securityForm, value),
      `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
    )
  return [
    ...(privileged === true ? [cannot('`privileged` to true')] : []),
    ...added
      .filter((capability) => capability === 'CAP_SYS_ADMIN')
      .map(() => cannot('`capabilities.Add` CAP_SYS_ADMIN')),
  ]
}

const { seccompProfile, appArmorProfile } = profiles

/** The security context of a container (ValidateSecurityContext). */
export const containerSecurity: Rule = all(
  fields({
    runAsUser: id,
    runAsGroup: id,
    procMount: supported(['Default', 'Unmasked']),
    seccompProfile,
  }),
  escalation,
  fields({ appArmorProfile }),
)

const sysctlName: Rule = (path, value) => {
  const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
  const format = `^(${segment}[\\./])*${segment}$`
  const fits = typeof value === 'string' && value.length <= 253 && new RegExp(format).test(value)
  return fits || value === ''
    ? []
    : [invalid(path, value, `must have at most 253 characters and match regex ${format}`)]
}

/** The security context of a pod (validatePodSpecSecurityContext). */
export const podSecurity: Rule = fields({
  fsGroup: id,
  runAsUser: id,
  runAsGroup: id,
  supplementalGroups: each(id),
  sysctls: each(fields({ name: all(filled(), sysctlName) })),
  fsGroupChangePolicy: supported(['Always', 'OnRootMismatch']),
  ...profiles,
  supplementalGroupsPolicy: supported(['Merge', 'Strict']),
})
