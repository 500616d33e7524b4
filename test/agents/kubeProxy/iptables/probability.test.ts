import t from 'tap'
import { probability, savedProbability } from '../../../../src/agents/kubeProxy/iptables/probability.js'

t.test('the probability as kube-proxy writes it', (t) => {
  for (const [of, expected] of [
    [1, '1.0000000000'],
    [2, '0.5000000000'],
    [3, '0.3333333333'],
    [6, '0.1666666667'],
    [7, '0.1428571429'],
    [10, '0.1000000000'],
    [100, '0.0100000000'],
    [1000, '0.0010000000'],
    [2048, '0.0004882812'],
    [10_000, '0.0001000000'],
    [100_000, '0.0000100000'],
    [100_001, '0.0000099999'],
  ] as const) {
    t.equal(probability(of).toFixed(10), expected, `one in ${of}`)
  }
  t.end()
})

t.test('fewer choices, higher probability', (t) => {
  let previous = 0
  let rising = true
  for (let of = 100_000; of >= 2; of--) {
    const value = probability(of)
    rising &&= value > previous
    previous = value
  }
  t.ok(rising)
  t.end()
})

t.test('the probability as iptables-save prints it', (t) => {
  for (const [of, expected] of [
    [2, '0.50000000000'],
    [3, '0.33333333349'],
    [5, '0.20000000019'],
    [6, '0.16666666651'],
    [7, '0.14285714272'],
    [9, '0.11111111101'],
    [10, '0.10000000009'],
    [100, '0.00999999978'],
    [4096, '0.00024414062'],
  ] as const) {
    t.equal(savedProbability(probability(of)).toFixed(11), expected, `one in ${of}`)
  }
  t.end()
})
