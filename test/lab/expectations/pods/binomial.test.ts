import fc from 'fast-check'
import t from 'tap'
import {
  countBounds,
  fewestRequests,
  luck,
  shareBounds,
  smallestRepeat,
} from '../../../../src/lab/expectations/pods/binomial.js'

/** Counts of n requests over k pods that give one pod exactly i: C(n, i)·(k-1)^(n-i), out of k^n; exact integers. */
function ways(n: number, k: number): bigint[] {
  let choose = 1n
  return Array.from({ length: n + 1 }, (_, i) => {
    if (i > 0) choose = (choose * BigInt(n - i + 1)) / BigInt(i)
    return choose * BigInt(k - 1) ** BigInt(n - i)
  })
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

/** True when count/k^n is at most 1e-9/(2k): the room of one tail of one pod. */
function fitsTail(count: bigint, n: number, k: number): boolean {
  return count * 2n * BigInt(k) * 1_000_000_000n <= BigInt(k) ** BigInt(n)
}

t.test('the bounds are the closest that the exact tails allow', async (t) => {
  for (const [n, k] of [
    [32, 2],
    [40, 2],
    [200, 2],
    [200, 3],
    [200, 4],
    [300, 7],
    [1000, 2],
    [1000, 10],
    [30, 2],
    [5, 5],
  ] as const) {
    const { least, most } = shareBounds(n, k)
    const all = ways(n, k)
    t.ok(fitsTail(sum(all.slice(0, least)), n, k), `n ${n}, k ${k}: fewer than ${least} is rare enough`)
    t.notOk(fitsTail(sum(all.slice(0, least + 1)), n, k), `n ${n}, k ${k}: up to ${least} is not`)
    t.ok(fitsTail(sum(all.slice(most + 1)), n, k), `n ${n}, k ${k}: more than ${most} is rare enough`)
    t.notOk(fitsTail(sum(all.slice(most)), n, k), `n ${n}, k ${k}: from ${most} is not`)
  }
})

t.test('any number of requests and pods', async () => {
  const requests = fc.integer({ min: 1, max: 400 })
  fc.assert(
    fc.property(requests, fc.integer({ min: 2, max: 20 }), (n, k) => {
      const { least, most } = shareBounds(n, k)
      const all = ways(n, k)
      return (
        least <= n / k &&
        most >= n / k &&
        fitsTail(sum(all.slice(0, least)), n, k) &&
        !fitsTail(sum(all.slice(0, least + 1)), n, k) &&
        fitsTail(sum(all.slice(most + 1)), n, k) &&
        !fitsTail(sum(all.slice(most)), n, k)
      )
    }),
    { numRuns: 60 },
  )
})

t.test('the smallest repeat is the first that leaves no pod out', async (t) => {
  t.equal(smallestRepeat(2), 32)
  for (const k of [2, 3, 4, 5, 10, 50]) {
    const n = smallestRepeat(k)
    t.ok(shareBounds(n, k).least >= 1, `${n} requests are enough for ${k} pods`)
    t.equal(shareBounds(n - 1, k).least, 0, `${n - 1} are not`)
  }
})

t.test('counts that are not of equal shares', async () => {
  const requests = fc.integer({ min: 1, max: 300 })
  fc.assert(
    fc.property(requests, fc.integer({ min: 1, max: 99 }), (n, percent) => {
      const { least, most } = countBounds(n, percent / 100, luck)
      const [p, all] = [BigInt(percent), BigInt(100) ** BigInt(n)]
      // C(n, i)·percent^i·(100-percent)^(n-i), out of 100^n
      let choose = 1n
      const exact = Array.from({ length: n + 1 }, (_, i) => {
        if (i > 0) choose = (choose * BigInt(n - i + 1)) / BigInt(i)
        return choose * p ** BigInt(i) * (100n - p) ** BigInt(n - i)
      })
      const isRare = (part: readonly bigint[]) => sum(part) * 1_000_000_000n <= all
      return (
        isRare(exact.slice(0, least)) &&
        !isRare(exact.slice(0, least + 1)) &&
        isRare(exact.slice(most + 1)) &&
        !isRare(exact.slice(most))
      )
    }),
    { numRuns: 60 },
  )
})

t.test('all or nothing', async (t) => {
  t.same(countBounds(20, 1, luck), { least: 20, most: 20 })
  t.equal(fewestRequests(1, luck), 1)
  t.equal(fewestRequests(0.5, 0.25), 2)
  t.equal(fewestRequests(0.5, 0.24), 3)
})

t.test('large counts stay exact enough', async (t) => {
  const { least, most } = shareBounds(10_000, 2, luck)
  t.ok(least > 4650 && least < 4710 && most === 10_000 - least, `${least} to ${most}`)
})
