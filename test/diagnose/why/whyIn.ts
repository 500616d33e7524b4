import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { whyRequest } from '../../../src/diagnose/why/whyRequest.js'
import type { Why } from '../../../src/diagnose/why/types.js'
import type { WrittenRequest } from '../../../src/diagnose/writtenRequest.js'
import { planSnapshot, type PredictOptions } from '../../../src/lab/plan/planSnapshot.js'
import { parseHostCommand } from '../../../src/trace/change/hostCommand.js'

/** A lab as text, what is done in it, and a request. */
export interface AskedLab extends Partial<WrittenRequest> {
  readonly manifests: string
  /** Lines of lab.yaml. */
  readonly lab?: string
  readonly after?: readonly string[]
  readonly from?: string
  readonly to: string
  readonly options?: PredictOptions
}

/** Why a request passes or fails in a lab that is only planned; by default from a pod `caller` of the manifests. */
export function whyIn(t: Test, asked: AskedLab): Why {
  const { manifests, lab = 'title: x', after = [], options, ...request } = asked
  const folder = t.testdir({})
  mkdirSync(join(folder, 'manifests'))
  writeFileSync(join(folder, 'lab.yaml'), `${lab}\n`)
  writeFileSync(join(folder, 'manifests/all.yaml'), manifests)
  const commands = after.map((text) => parseHostCommand(text) ?? t.fail(`no command: ${text}`))
  const snapshot = planSnapshot(folder, { ...options, after: commands as never })
  return whyRequest(snapshot, { from: 'caller', protocol: 'tcp', ...request })
}

/** The sentences of all causes, in order. */
export function saysOf({ findings }: Why): string[] {
  return findings.flatMap(({ causes }) => causes.map(({ says }) => says))
}

/** The commands or requests of all changes that were predicted to pass, in order. */
export function fixesOf({ findings }: Why): string[] {
  return findings.flatMap(({ changes }) =>
    changes.map(({ proposal }) =>
      proposal.kind === 'request' ? `call ${proposal.to}` : (proposal.command ?? ''),
    ),
  )
}

/** A pod that listens on port 8080 by the name http, and one that calls; `more` are fields of its container. */
export const webAndCaller = (more = '') => `apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec:
  nodeName: node-b
  containers: [{ name: web, image: nginx, ports: [{ name: http, containerPort: 8080 }]${more} }]
---
apiVersion: v1
kind: Pod
metadata: { name: caller }
spec: { nodeName: node-a, containers: [{ name: c, image: x }] }
---
`
