import fc from 'fast-check'
import t from 'tap'
import { createAddressReader, formatIPv6 } from '../../src/packets/addresses.js'

t.test('IPv6 in RFC 5952 form', async (t) => {
  const cases: [string, string][] = [
    ['00000000000000000000000000000000', '::'],
    ['00000000000000000000000000000001', '::1'],
    ['fd000244000000010000000000000005', 'fd00:244:0:1::5'],
    ['20010db8000000010001000100010001', '2001:db8:0:1:1:1:1:1'],
    ['20010db8000000000001000000000001', '2001:db8::1:0:0:1'],
    ['fe800000000000000000000000000000', 'fe80::'],
    ['00000000000000000000ffff0a600014', '::ffff:10.96.0.20'],
  ]
  for (const [hex, text] of cases) t.equal(formatIPv6(Buffer.from(hex, 'hex'), 0), text)
})

t.test('IPv6 text equals that of the URL standard', async (t) => {
  const zeroish = fc.array(fc.constantFrom(0, 0, 0, 1, 255), { minLength: 16, maxLength: 16 })
  fc.assert(
    fc.property(zeroish, (bytes) => {
      const text = formatIPv6(Buffer.from(bytes), 0)
      if (text.includes('.')) return
      const groups = Array.from({ length: 8 }, (_, index) =>
        Buffer.from(bytes)
          .readUInt16BE(2 * index)
          .toString(16),
      )
      t.equal(`[${text}]`, new URL(`http://[${groups.join(':')}]/`).hostname)
    }),
  )
})

t.test('a reader returns the same text again', async (t) => {
  const reader = createAddressReader()
  const bytes = Buffer.from([0, 0, 10, 244, 255, 5])
  t.equal(reader.ipv4(bytes, 2), '10.244.255.5')
  t.equal(reader.ipv4(bytes, 2), '10.244.255.5')
})
