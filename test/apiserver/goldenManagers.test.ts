import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { defaulted } from '../../src/apiserver/write/fields/defaulted.js'
import { managersAfterUpdate } from '../../src/apiserver/write/fields/managers.js'
import { kindOf } from '../../src/cluster/kinds/index.js'
import type { KubeObject } from '../../src/cluster/types.js'

interface Row {
  readonly about: string
  readonly objects: readonly KubeObject[]
}

/** The object in the message of the real API server about a patch that it cannot decode. */
const inMessage = /^The request is invalid: patch: Invalid value: ("(?:[^"\\]|\\.)*"):/

t.test('who creates an object manages the fields that the real API server recorded', (t) => {
  const rows = parse(readFileSync('test/golden/api-server-1.36/errors-3.yaml', 'utf8')) as Row[]
  const recorded = rows.flatMap((row) =>
    textsIn(row).flatMap((text) => {
      const [, quoted] = inMessage.exec(text) ?? []
      if (quoted === undefined || !quoted.includes('managedFields')) return []
      return [{ row, live: JSON.parse(JSON.parse(quoted) as string) as KubeObject }]
    }),
  )
  t.ok(recorded.length >= 5, `${recorded.length} objects`)
  for (const { row, live } of recorded) {
    const written = row.objects.find(({ kind }) => kind === live.kind)
    if (written === undefined) throw new Error(row.about)
    const writer = { manager: 'x', operation: 'Update', apiVersion: live.apiVersion, time: '' } as const
    const [made] = managersAfterUpdate([], undefined, defaulted(kindOf(live.kind), written), writer)
    t.same(made?.fieldsV1, live.metadata.managedFields?.[0]?.fieldsV1, row.about)
  }
  t.end()
})

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
