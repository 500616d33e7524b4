import { defaultVersion, versionText } from '../agents/kubeProxy/versions/version.js'
import { build, version } from '../version.js'

/** What `vethlab --version` prints: `1.0.0 (build 0123456789ab, kube-proxy 1.36)`. */
export function versionLine(): string {
  const made = build() === undefined ? 'from the sources' : `build ${build()}`
  return `${version()} (${made}, kube-proxy ${versionText(defaultVersion)})`
}
