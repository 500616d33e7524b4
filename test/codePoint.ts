import fc from 'fast-check'

/**
 * A character of any plane, ASCII as often as all others: a unit for `fc.string`. Its own unit 'binary' has the same characters, but
 * makes a table of them, which takes longer than most tests.
 */
export const codePoint = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff })),
  )
  .map((code) => String.fromCodePoint(code))
