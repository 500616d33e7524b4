import type { Service } from '../../../cluster/types.js'
import type { KubeProxyConfiguration } from '../config.js'
import { servicePortOptions, servicePorts } from '../servicePort.js'
import { has } from './features.js'
import { versionText } from './version.js'

/** Bytes of a comment in nftables: the kernel takes no more, and nft rejects a transaction with a longer one. */
export const longestComment = 128

/**
 * What a kube-proxy of this version does that its rules do not show, as texts. `isDefaultMode`: whether the configuration
 * does not set the mode.
 */
export function versionNotices(
  config: KubeProxyConfiguration,
  services: readonly Service[],
  { isDefaultMode }: { readonly isDefaultMode: boolean },
): readonly string[] {
  const { mode, version } = config
  const name = `kube-proxy ${versionText(version)}`
  const defaulted =
    isDefaultMode && has(version, 'warnsOfDefaultMode')
      ? [
          `${name} warns that the mode is not set: a later version changes the default from iptables to nftables`,
        ]
      : []
  if (mode !== 'nftables' || has(version, 'shortComments')) return defaulted
  const long = services
    .flatMap((service) => servicePorts(service, 'IPv4', servicePortOptions(config)))
    .map((port) => ({ port, bytes: Buffer.byteLength(port.name) }))
    .filter(({ bytes }) => bytes > longestComment)
  return [
    ...defaulted,
    ...long.map(
      ({ port, bytes }) =>
        `${name} writes no rule of any Service while ${port.name} has no endpoint for its traffic: nft rejects a comment of ` +
        `${bytes} bytes (${longestComment} are possible). The rules here have the shorter comment of 1.37`,
    ),
  ]
}
