import type { IpFamily } from '../../net/ipFamily.js'
import type { ModeName } from '../../agents/kubeProxy/config.js'

/** How a lab is read. */
export interface PrepareOptions {
  /** Kinds that are skipped in manifests, besides those of the lab. */
  readonly ignoreKinds?: ReadonlySet<string> | undefined
  /** What happens to commands that only images have: the echo server replaces their containers, or they are errors. */
  readonly commands?: 'echo' | 'strict' | undefined
  readonly cwd?: string | undefined
  /** Families for a lab that sets none; throws OwnFamiliesError for a lab that sets others. */
  readonly families?: readonly IpFamily[] | undefined
  /** Mode of the kube-proxies; throws OwnModeError for a lab that was written for another mode. */
  readonly mode?: ModeName | undefined
  /** Absolute path of a kube-proxy to run on every node instead of the built-in rules; the lab's own by default. */
  readonly kubeProxyBinary?: string | undefined
}
