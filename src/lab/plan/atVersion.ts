import { OtherVersionError } from '../../errors.js'
import { versionText, whyNotInRange, type MinorVersion } from '../../agents/kubeProxy/versions/version.js'
import type { PreparedLab } from './prepareLab.js'

/**
 * A lab as it runs with a kube-proxy binary of a version: steps that are about other versions are left out. Throws
 * OtherVersionError if the lab is about other versions, or if the version does not have the lab's mode. A version that is not
 * known, and the built-in kube-proxy, can run everything.
 */
export function atVersion(prepared: PreparedLab, version: MinorVersion | undefined): PreparedLab {
  const { lab, kubeProxy } = prepared
  if (kubeProxy.kind !== 'binary' || version === undefined) return prepared
  const other = (reason: string) => new OtherVersionError(`${reason}; the binary is ${versionText(version)}`)
  const { gate } = kubeProxy.mode
  if (gate !== undefined && version < gate.from)
    throw other(`kube-proxy has had the mode ${kubeProxy.mode.name} since ${versionText(gate.from)}`)
  const why = lab.proxy.versions && whyNotInRange(version, lab.proxy.versions)
  if (why !== undefined) throw other(`it is about ${why}`)
  const steps = lab.steps.map((step) => {
    const reason = step.versions && whyNotInRange(version, step.versions)
    return step.leftOut !== undefined || reason === undefined
      ? step
      : { ...step, leftOut: `it is about ${reason}; the binary is ${versionText(version)}` }
  })
  const config = { ...kubeProxy.config, version }
  return { ...prepared, lab: { ...lab, steps }, kubeProxy: { ...kubeProxy, config, version } }
}
