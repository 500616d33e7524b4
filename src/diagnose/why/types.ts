import type { ObjectField } from '../../agents/meaning.js'
import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import type { Choice, End, Path } from '../../trace/model/steps.js'
import type { TracedProtocol } from '../../snapshot/model/packet.js'
import type { TraceState } from '../../snapshot/model/state.js'
import type { Code } from '../codes/codes.js'

/** Why a request fails, and changes that may let it pass. */
export interface Cause {
  /** `vethlab explain` explains it. */
  readonly code: Code
  /** One sentence. */
  readonly says: string
  readonly object?: ObjectField | undefined
  /** The host that it is on; without it, that of the rule or of the first proposal. */
  readonly place?: string | undefined
  /** The rule that it is about. */
  readonly rule?: DecidingRule | undefined
  /** The NetworkPolicies that deny the packet, as `namespace/name`. */
  readonly deniedBy?: readonly string[] | undefined
  /** Something on the way that did not decide: no cause, unless a change of it helps. */
  readonly isSuspect?: true | undefined
  /** What was read, and where: `manifests.yaml:12`; only of what was attached. */
  readonly at?: readonly string[] | undefined
  readonly proposals: readonly Proposal[]
}

/** A change that may let a request pass. */
export type Proposal = {
  /** `spec.selector.app: shopp → shop` */
  readonly says: string
  /** What a user types while the lab runs; absent where no command of vethlab does it. */
  readonly command?: string | undefined
} &
  /** Changes of that object, or of others too. */
  (
    | { readonly kind: 'object'; readonly object: ObjectField; readonly changes: readonly ObjectWrite[] }
    | { readonly kind: 'host'; readonly place: string; readonly edit: (state: TraceState) => TraceState }
    /** Another request; `host` is the name in its HTTP request. */
    | {
        readonly kind: 'request'
        readonly to: string
        readonly host?: string | undefined
        readonly protocol?: TracedProtocol | undefined
      }
  )

/** A change that was predicted: what share of the requests it lets pass. */
export interface CheckedChange {
  readonly proposal: Proposal
  readonly share: number
}

/** The rule that decided. */
export interface DecidingRule {
  readonly place: string
  readonly table: string
  readonly chain: string
  /** Undefined for the policy of a chain. */
  readonly number?: number | undefined
  readonly spec: string
  /** The program that wrote it; undefined if it is not recognised. */
  readonly owner?: string | undefined
  readonly why?: string | undefined
  /** As that of a cause. */
  readonly at?: readonly string[] | undefined
}

/** One way in which requests fail. */
export interface Finding {
  /** That of the cause whose fix works; without causes, that of the end. */
  readonly code: Code
  readonly end: End
  /** The share of requests that end like this; undefined if it depends on conditions that the plan does not decide. */
  readonly share: number | undefined
  /** Those conditions, as the first such path takes them. */
  readonly assumptions: readonly Choice[]
  readonly rule?: DecidingRule | undefined
  readonly causes: readonly Cause[]
  /** The smallest first; only changes after which more requests pass. */
  readonly changes: readonly CheckedChange[]
  /** Changes after which no more requests pass. */
  readonly tried: readonly Proposal[]
}

/** What is surprising about a request that passes. */
export interface Remark {
  readonly code?: Code | undefined
  /** One sentence, without a full stop. */
  readonly says: string
  readonly object?: ObjectField | undefined
  /** What the answer does not include, which may be why a request fails that passes by it. */
  readonly isLimit?: true | undefined
}

/** The answer of `why`. */
export interface Why {
  /** `small` if it passes, and a link loses larger packets of it; `unknown` if conditions that the plan does not decide are the difference, or a path cannot be followed. */
  readonly outcome: 'passes' | 'fails' | 'sometimes' | 'small' | 'unknown'
  /** The share of the requests that are answered; undefined if the outcome is unknown. */
  readonly share: number | undefined
  /** The paths that are answered. */
  readonly answered: readonly Path[]
  readonly findings: readonly Finding[]
  /** Of a request that fails: what is not looked at, also in the changes that fix it. */
  readonly remarks: readonly Remark[]
  /** False if there are more paths than were followed, or more ways to fail than `findings`. */
  readonly complete: boolean
}
