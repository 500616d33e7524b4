/* The JSON documents that commands print: each type is a file docs/schema/NAME.v1.json. The number is that of the document: it
increases if a field changes its meaning or is removed. */
import type { inJson } from '../../src/commands/list.js'
import type { jsonRow } from '../../src/commands/ps.js'
import type { Code } from '../../src/diagnose/codes/codes.js'
import type { Explanation } from '../../src/diagnose/codes/explanation.js'
import type { RulesOfNode } from '../../src/diagnose/rules.js'
import type { checkDocument } from '../../src/diagnose/check/checkDocument.js'
import type { reachComparisonDocument, reachDocument } from '../../src/diagnose/reach/reachDocument.js'
import type { whyDocument } from '../../src/diagnose/why/whyDocument.js'
import type { diagnose } from '../../src/host/doctor/diagnose.js'
import type { comparedModes } from '../../src/reporters/comparisonReporter.js'
import type { withProtocols } from '../../src/reporters/json.js'
import type { resultDocument } from '../../src/results/document.js'
import type { LabMutations } from '../../src/results/mutations.js'
import type { Plan } from '../../src/topology/types.js'
import type { observedDocument } from '../../src/trace/text/observedDocument.js'
import type { comparisonDocument, predictionDocument } from '../../src/trace/text/predictionDocument.js'
import type { ClassResults } from '../../src/workshop/class/results.js'

type Reports = ReturnType<typeof withProtocols>

/** One document for several labs. */
type Several<Lab> = ReturnType<typeof resultDocument<{ readonly ok: boolean; readonly labs: readonly Lab[] }>>

/** Answers by the name of their file. */
export interface Answers {
  /** vethlab check --json */
  readonly check: ReturnType<typeof checkDocument>
  /** vethlab why --json */
  readonly why: ReturnType<typeof whyDocument>
  /** vethlab trace --predict --json */
  readonly 'trace-predicted': ReturnType<typeof predictionDocument>
  /** vethlab trace --predict --compare MODE --json */
  readonly 'trace-compared': ReturnType<typeof comparisonDocument>
  /** vethlab trace --json, of a request that was sent */
  readonly trace: ReturnType<typeof observedDocument>
  /** vethlab reach --json */
  readonly reach: ReturnType<typeof reachDocument>
  /** vethlab reach --against… --json */
  readonly 'reach-compared': ReturnType<typeof reachComparisonDocument>
  /** vethlab rules --json */
  readonly rules: RulesOfNode
  /** vethlab explain --json */
  readonly explain: Readonly<Partial<Record<Code, Explanation>>>
  /** vethlab list --json */
  readonly list: readonly ReturnType<typeof inJson>[]
  /** vethlab ps --json */
  readonly ps: readonly ReturnType<typeof jsonRow>[]
  /** vethlab doctor --json */
  readonly doctor: Awaited<ReturnType<typeof diagnose>>
  /** vethlab plan --json */
  readonly plan: Plan
  /** vethlab run LAB --reporter json */
  readonly run: ReturnType<typeof resultDocument<Reports>>
  /** vethlab run LAB LAB… --reporter json */
  readonly 'run-several': Several<Reports>
  /** vethlab run LAB… --compare --reporter json */
  readonly 'run-compared': Several<ReturnType<typeof comparedModes>>
  /** vethlab mutate LAB --json */
  readonly mutate: ReturnType<typeof resultDocument<LabMutations>>
  /** vethlab mutate LAB LAB… --json */
  readonly 'mutate-several': Several<LabMutations>
  /** vethlab workshop results --json */
  readonly 'workshop-results': ClassResults
}
