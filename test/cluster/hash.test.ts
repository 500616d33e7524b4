import { assert, jsonValue, property } from 'fast-check'
import t from 'tap'
import { canonicalJson, sameJson } from '../../src/cluster/hash.js'

const values: readonly unknown[] = [
  ...[null, undefined, true, 0, 1, '', '1', [], {}, [undefined], [{}], [[]], { 0: 'a' }, ['a'], ['a', 'b']],
  ...[
    { a: 1 },
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { a: 1, c: undefined },
    { a: 1, b: null },
    { a: { b: [1] } },
    JSON.parse('{"__proto__":{}}') as unknown,
  ],
]

t.test('values are the same when their JSON with sorted keys is', async (t) => {
  const different: string[] = []
  for (const one of values) {
    for (const other of values) {
      // JSON has no value that stands for none, except in a list
      if ([one, other].some((value) => Array.isArray(value) && value.includes(undefined))) continue
      const what = `${JSON.stringify(one) ?? 'none'} and ${JSON.stringify(other) ?? 'none'}`
      if (sameJson(one, other) !== (canonicalJson(one) === canonicalJson(other))) different.push(what)
    }
  }
  t.same(different, [])
  assert(
    property(jsonValue(), jsonValue(), (one, other) => {
      const copy: unknown = structuredClone(one)
      return sameJson(one, copy) && sameJson(one, other) === (canonicalJson(one) === canonicalJson(other))
    }),
  )
})
