import fc from 'fast-check'
import t from 'tap'
import { canonicalQuantity, quantityProblem, quantityValue } from '../../src/cluster/quantity.js'

t.test('quantities as the API server writes them', (t) => {
  const cases: Readonly<Record<string, string>> = {
    ...{ '0.5': '500m', '1000m': '1', '1500': '1500', '2000': '2k', '1024Mi': '1Gi', '0.5Gi': '512Mi' },
    ...{ '1000Mi': '1000Mi', '1e3': '1e3', '12e2': '1200', '-1Mi': '-1Mi', '0': '0', '100Ki': '100Ki' },
    ...{ '1.5': '1500m', '+1': '1', '0.1n': '1n', '1Ki': '1Ki', '0.5Ki': '512', '1.0': '1', '1e-3': '1e-3' },
    '1e999999999': canonicalQuantity('1e51'),
  }
  for (const [text, canonical] of Object.entries(cases)) t.equal(canonicalQuantity(text), canonical, text)
  t.end()
})

t.test('and their value stays the same', (t) => {
  const suffix = fc.constantFrom('m', '', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi')
  fc.assert(
    fc.property(fc.integer({ min: -5000, max: 5000 }), suffix, (number, unit) => {
      const text = `${number}${unit}`
      return quantityValue(canonicalQuantity(text)) === quantityValue(text)
    }),
  )
  t.pass('100 runs')
  t.end()
})

t.test('texts that are no quantities', (t) => {
  for (const text of ['', 'lots', '1GiB', '1.2.3', 'true', '1 '])
    t.match(quantityProblem(text), /^quantities must match the regular expression/, text)
  for (const text of ['1ii', '1mm', '1e'])
    t.equal(quantityProblem(text), "unable to parse quantity's suffix", text)
  for (const text of ['1', '.5', '1e3', '1E', '5Gi']) t.equal(quantityProblem(text), undefined, text)
  t.end()
})
