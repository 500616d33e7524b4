import { assert, jsonValue, property } from 'fast-check'
import t from 'tap'
import { canonicalJson, fnv32, fnv32a, safeDigits, sameJson } from '../../src/cluster/hash.js'

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

t.test('hashes are those of FNV for bytes of UTF-8', (t) => {
  // the published vectors
  t.equal(fnv32a('a'), 0xe40c292c)
  t.equal(fnv32('a'), 0x050c5d7e)
  t.equal(fnv32a('foobar'), 0xbf9cf968)
  t.equal(fnv32('foobar'), 0x31f0b262)
  // as many characters as digits
  t.equal(safeDigits(2_576_980_378).length, 10)
  t.equal(safeDigits(98).length, 2)
  t.end()
})
