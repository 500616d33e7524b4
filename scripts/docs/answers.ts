/* The JSON documents that commands print: each type is a file docs/schema/NAME.v1.json. The number is that of the document: it
increases if a field changes its meaning or is removed. */
import type { checkDocument } from '../../src/diagnose/check/checkDocument.js'
import type { reachComparisonDocument, reachDocument } from '../../src/diagnose/reach/reachDocument.js'
import type { whyDocument } from '../../src/diagnose/why/whyDocument.js'
import type { withProtocols } from '../../src/reporters/json.js'
import type { resultDocument } from '../../src/results/document.js'
import type { observedDocument } from '../../src/trace/text/observedDocument.js'
import type { comparisonDocument, predictionDocument } from '../../src/trace/text/predictionDocument.js'

type Reports = ReturnType<typeof withProtocols>

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
  /** vethlab run LAB --reporter json */
  readonly run: ReturnType<typeof resultDocument<Reports>>
  /** vethlab run LAB LAB… --reporter json */
  readonly 'run-several': ReturnType<
    typeof resultDocument<{ readonly ok: boolean; readonly labs: readonly Reports[] }>
  >
}
