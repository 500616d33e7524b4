import type { KubeProxyConfiguration, ModeName } from '../config.js'
import { minorOf, versionText, type MinorVersion } from './version.js'

/** The versions whose rules are known, by mode; see docs/kube-proxy.md for how they were compared. */
export const knownVersions: Readonly<
  Record<ModeName, { readonly from: MinorVersion; readonly to: MinorVersion }>
> = {
  iptables: { from: 24, to: 37 },
  nftables: { from: 31, to: 37 },
  ipvs: { from: 30, to: 37 },
  // removed in 1.26; the built-in kube-proxy has it, whatever its version
  userspace: { from: 24, to: 37 },
}

/** All versions that can be chosen, such as `1.24`. */
export const chosenVersions: readonly string[] = Array.from({ length: 14 }, (_, index) =>
  versionText(24 + index),
)

/** A version as it is written, `1.30`; undefined if it is none of those that can be chosen. */
export function readVersionText(written: unknown): MinorVersion | undefined {
  return typeof written === 'string' && chosenVersions.includes(written) ? minorOf(written) : undefined
}

/** Why the rules of a mode of a version are not known, as text; undefined if they are. */
export function whyNotKnown({ mode, version }: Pick<KubeProxyConfiguration, 'mode' | 'version'>) {
  const { from, to } = knownVersions[mode]
  if (version >= from && version <= to) return undefined
  const range = `${versionText(from)} to ${versionText(to)}`
  return `the rules of mode ${mode} are known of kube-proxy ${range}, not of ${versionText(version)}`
}
