import fc from 'fast-check'
import { matches, targets } from '../../../src/netfilter/rules/extensions.js'
import * as formats from '../../../src/netfilter/rules/formats.js'
import { headerOptions } from '../../../src/netfilter/rules/headerOptions.js'
import type { Rule } from '../../../src/netfilter/rules/model.js'
import type { Format, Option, Options } from '../../../src/netfilter/rules/option.js'
import { codePoint } from '../../codePoint.js'

const name = fc.stringMatching(/^[a-z0-9][a-z0-9+./:-]{0,11}$/)
const names = fc.array(fc.stringMatching(/^[A-M]{2,8}$/), { minLength: 1, maxLength: 3 })
const number = fc.nat(65535)
const range = fc.tuple(number, number).map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }))
const bits = fc.nat(0xffffffff)
const address = fc.oneof(fc.ipV4(), fc.constantFrom('fd00::1', '2001:db8::5'))

/** Values of the formats that several options have. */
const ofFormat = new Map<unknown, fc.Arbitrary<unknown>>([
  [formats.word, name],
  [formats.text, fc.string({ unit: codePoint }).filter((text) => !/[\n\r]/.test(text))],
  [formats.spacedName, name],
  [formats.list, names],
  [formats.integer, number],
  [formats.hexadecimal, bits],
  [formats.probability, fc.nat(2 ** 31).map((part) => Number((part / 2 ** 31).toFixed(11)))],
  [formats.range, range],
  [formats.dashedRange, range],
  [formats.ranges, fc.array(range, { minLength: 1, maxLength: 4 })],
  [formats.mark, fc.record({ value: bits, mask: bits })],
  [formats.xmark, fc.record({ value: bits, mask: bits })],
  [formats.rate, fc.record({ packets: number, per: fc.constantFrom('sec', 'min', 'hour', 'day') })],
])

const icmpType = fc.oneof(
  fc.constant('any'),
  fc.record({ type: number, code: number }, { requiredKeys: ['type'] }),
)
const natRange = fc.oneof(
  address.map((first) => ({ addresses: { first, last: first } })),
  fc.tuple(address, address).map(([first, last]) => ({ addresses: { first, last } })),
  range.map((ports) => ({ ports })),
  fc.record({ addresses: address.map((first) => ({ first, last: first })), ports: range }),
  fc.record({ addresses: address.map((first) => ({ first, last: first })), ports: range, basePort: number }),
)

/** Values of the formats that one kind of option has. */
const ofField: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  tcpFlags: fc.record({ mask: names, set: fc.oneof(names, fc.constant([])) }),
  chunkTypes: fc.record({ quantifier: fc.constantFrom('all', 'any', 'only'), types: names }),
  icmpType,
  icmpv6Type: icmpType,
  matchSet: fc.record({ name, fields: names }),
  toDestination: natRange,
  toSource: natRange,
}

function valueOf(field: string, format: Format<unknown>): fc.Arbitrary<unknown> {
  const arbitrary = ofFormat.get(format) ?? ofField[field]
  if (arbitrary === undefined) throw new Error(`no values for ${field}: add its format to arbitraryRule.ts`)
  return arbitrary
}

function fieldOf(field: string, option: Option): fc.Arbitrary<unknown> {
  switch (option.shape) {
    case 'flag':
      return fc.constant(true)
    case 'switch':
      return fc.boolean()
    case 'value':
      return valueOf(field, option.format)
    case 'negatable': {
      const value = valueOf(field, option.format)
      return fc.record({ value, negated: fc.constant(true) }, { requiredKeys: ['value'] })
    }
  }
}

function fieldsOf(options: Options): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(options).map(([field, option]) => [field, fieldOf(field, option)] as const)
  const requiredKeys = Object.keys(options).filter((field) => options[field]?.required === true)
  return fc.record(Object.fromEntries(fields), { requiredKeys })
}

function partsOf(extensions: Readonly<Record<string, Options>>): fc.Arbitrary<unknown>[] {
  return Object.entries(extensions).map(([kind, options]) =>
    fieldsOf(options).map((fields) => ({ kind, ...fields })),
  )
}

const chain = fc.stringMatching(/^[A-Z]{2,6}-[A-Z0-9]{4}$/)
const unknownMatch = name.map((text) => ({ kind: 'unknown', text: `-m time --timestart ${text}` }))

/** Any rule that the model can hold. */
export const arbitraryRule: fc.Arbitrary<Rule> = fc
  .tuple(
    fieldsOf(headerOptions),
    fc.array(fc.oneof(...partsOf(matches), unknownMatch), { maxLength: 4 }),
    fc.option(
      fc.oneof(
        ...partsOf(targets),
        chain.map((name) => ({ kind: 'jump', chain: name })),
        chain.map((name) => ({ kind: 'goto', chain: name })),
        fc.constant({ kind: 'unknown', name: 'TPROXY', options: '--on-port 80 --on-ip 1.2.3.4' }),
      ),
    ),
  )
  .map(([header, found, target]) => {
    const rule = { ...header, matches: found, ...(target === null ? {} : { target }) }
    // a copy has the prototype of the objects that are read
    return structuredClone(rule) as unknown as Rule
  })
