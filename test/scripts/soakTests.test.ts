import t from 'tap'
import { soakTests } from '../../scripts/soakTests.js'

/** Runs a soak whose runs of the tests print the given reports, one after the other. */
async function soak(args: readonly string[], reports: readonly string[]) {
  const runs: string[] = []
  let [output, loops] = ['', 0]
  const code = await soakTests(args, {
    run: (suite, filters, file) => {
      const report = reports[runs.push([suite, ...filters, file].join(' ')) - 1] ?? ''
      return Promise.resolve({ code: report.includes('✖') ? 1 : 0, report })
    },
    startLoops: (count) => {
      loops += count
      return () => void (loops -= count)
    },
    print: (text) => void (output += text),
  })
  t.equal(loops, 0, 'no loop remains')
  return { code, output, runs }
}

const passes = '✔ a\n7 passed, 0 failed\n'
const fails = `✔ a
  ✖ b > two
    {
      "found": 3
    }
✖ b
6 passed, 1 failed
`

t.test('every run prints its counts; of a failed one, what failed and where all of it is', async (t) => {
  const { code, output, runs } = await soak(['2', '--suite', 'short', '--load', '3'], [passes, fails])
  t.equal(code, 1)
  t.strictSame(runs, ['short build/soak/1-short.tap', 'short build/soak/2-short.tap'])
  t.match(output, /^npm test: run 1 of 2 passed: 7 passed, 0 failed \(\d+ s, load [\d.]+\)$/m)
  t.match(output, /^npm test: run 2 of 2 failed: 6 passed, 1 failed \(/m)
  t.match(output, /^ {4}✖ b > two\n {6}\{\n.*"found": 3\n {6}\}\n {2}✖ b$/m)
  t.notMatch(output, '✔')
  t.match(output, /^ {2}all of it: build\/soak\/2-short\.tap$/m)
  t.match(output, /^figure: npm test beside 3 busy loops: 1 of 2 runs passed\n$/m)
})

t.test('by default both suites, ten times; a filter chooses tests', async (t) => {
  const all = await soak(
    [],
    Array.from({ length: 20 }, () => passes),
  )
  t.equal(all.code, 0)
  t.equal(all.runs.length, 20)
  const one = await soak(['1', '--suite', 'full', 'kills'], [passes])
  t.strictSame(one.runs, ['full kills build/soak/1-full.tap'])
  t.match(one.output, 'npm run test:full beside 4 busy loops: 1 of 1 runs passed')
})

t.test('invalid arguments end with 2 and the usage', async (t) => {
  for (const args of [['0'], ['x'], ['1', '--suite', 'all'], ['--load', '-1'], ['--load', 'x'], ['--more']]) {
    const { code, output, runs } = await soak(args, [])
    t.equal(code, 2, args.join(' '))
    t.match(output, /^Usage: npm run soak -- tests /)
    t.strictSame(runs, [])
  }
})
