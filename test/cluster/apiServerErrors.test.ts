import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { buildCluster } from '../../src/cluster/cluster.js'
import { parseManifests } from '../../src/cluster/manifests/manifests.js'
import { InputError } from '../../src/errors.js'
import type { Problem } from '../../src/errors.js'
import { defaultRanges } from '../../src/net/addressRanges.js'
import { recordedMessages } from './recordedMessages.js'

interface Row {
  about: string
  objects?: Record<string, unknown>[]
  accepted: boolean
  error?: string
}

const rows = parse(readFileSync('test/golden/api-server-1.36/errors.yaml', 'utf8')) as Row[]

/** The objects of one row are not in the recording: 1001 endpoints in one slice. */
function objectsOf(row: Row): Record<string, unknown>[] {
  if (row.objects !== undefined) return row.objects
  const endpoints = Array.from({ length: 1001 }, (_, index) => ({
    addresses: [`10.244.${index >> 8}.${index & 255}`],
  }))
  const metadata = { name: 'web-1', namespace: 'lab' }
  return [
    { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, addressType: 'IPv4', endpoints },
  ]
}

function problemsOf(row: Row): readonly Problem[] {
  const text = objectsOf(row)
    // Version 1.1 quotes the words that Kubernetes reads as booleans.
    .map((object) => stringify(object, { version: '1.1' }))
    .join('---\n')
  try {
    const { objects } = parseManifests([{ path: 'STDIN', text }])
    const nodes = [{ name: 'node-a', labels: {} }]
    buildCluster(objects, { nodes, ranges: defaultRanges, families: ['IPv4'] })
    return []
  } catch (error) {
    if (error instanceof InputError) return error.problems
    throw error
  }
}

t.equal(rows.length, 73)
for (const row of rows)
  t.test(row.about, (t) => {
    const problems = problemsOf(row)
    t.same(
      problems.map((problem) => problem.message),
      recordedMessages(row),
    )
    for (const problem of problems) {
      t.equal(problem.at?.file, 'STDIN')
      t.ok((problem.at?.line ?? 0) >= 1)
    }
    t.end()
  })
