import { findTool } from '../../host/environment.js'
import { iptablesProgram } from '../../host/backend.js'
import { smallCommits, type CommitSize } from '../../netfilter/splitRestore.js'
import type { IptablesBackend } from '../../netfilter/types.js'
import { streamModule } from '../../host/machine.js'
import type { WithheldRule } from '../../agents/kubeProxy/iptables/withheld.js'
import type { NginxPaths } from '../../topology/echoServer.js'
import type { RestorePrograms } from '../../topology/planRules.js'

/** What a plan needs to know about the host. */
export interface PlanFacts {
  readonly restore: RestorePrograms
  readonly nginx: NginxPaths
  readonly nfacct: boolean
  readonly randomFully: boolean
  /** The commits in which iptables rules are loaded; undefined if a table is one. See `splitRestore`. */
  readonly commits?: CommitSize | undefined
  /** Whether a ruleset may be too large for one transaction of nft; see `splitNft`. */
  readonly splitNft?: boolean | undefined
  /** Whether kube-proxy's /healthz is served even if no Service needs health checks: in labs of `up`. */
  readonly healthz?: boolean | undefined
  /** A rule to leave out. */
  readonly withheld?: WithheldRule | undefined
}

/** What `up` finds on most hosts with the same tools; it queries the kernel, which a plan cannot do without root. */
export function assumedFacts(backend?: IptablesBackend): PlanFacts {
  return {
    restore: {
      IPv4: iptablesProgram(backend, 'IPv4', 'restore'),
      IPv6: iptablesProgram(backend, 'IPv6', 'restore'),
    },
    nginx: { streamModule: streamModule() },
    nfacct: findTool('nfacct') !== undefined,
    randomFully: true,
    // a sandbox's root is rarely the host's
    commits: backend === 'legacy' ? undefined : smallCommits,
    splitNft: true,
    healthz: true,
  }
}
