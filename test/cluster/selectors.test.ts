import t from 'tap'
import { isEmptySelector, matchesLabels, matchesSelector } from '../../src/cluster/selectors.js'
import type { LabelSelector } from '../../src/cluster/types.js'

const labels = { app: 'web', tier: 'front', constructor: 'acme' }

t.test('pairs', (t) => {
  t.ok(matchesLabels({ app: 'web', tier: 'front' }, labels))
  t.notOk(matchesLabels({ app: 'web', tier: 'back' }, labels))
  t.ok(matchesLabels({ constructor: 'acme' }, labels))
  t.notOk(matchesLabels({ toString: 'x' }, labels))
  t.notOk(matchesLabels({ app: 'web' }, undefined))
  t.ok(matchesLabels({}, undefined))
  t.end()
})

t.test('expressions', (t) => {
  const table: [NonNullable<LabelSelector['matchExpressions']>[number], boolean][] = [
    [{ key: 'app', operator: 'In', values: ['web', 'api'] }, true],
    [{ key: 'app', operator: 'In', values: ['api'] }, false],
    [{ key: 'none', operator: 'In', values: ['api'] }, false],
    [{ key: 'app', operator: 'NotIn', values: ['api'] }, true],
    [{ key: 'app', operator: 'NotIn', values: ['web'] }, false],
    [{ key: 'none', operator: 'NotIn', values: ['web'] }, true],
    [{ key: 'app', operator: 'Exists' }, true],
    [{ key: 'valueOf', operator: 'Exists' }, false],
    [{ key: 'none', operator: 'DoesNotExist' }, true],
    [{ key: 'app', operator: 'DoesNotExist' }, false],
  ]
  for (const [expression, matches] of table) {
    t.equal(matchesSelector({ matchExpressions: [expression] }, labels), matches, JSON.stringify(expression))
    t.notOk(matchesSelector({ matchLabels: { app: 'api' }, matchExpressions: [expression] }, labels))
  }
  t.ok(isEmptySelector({ matchLabels: {}, matchExpressions: [] }))
  t.notOk(isEmptySelector({ matchExpressions: [{ key: 'app', operator: 'Exists' }] }))
  t.end()
})
