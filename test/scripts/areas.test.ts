import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'

const areas = readdirSync('test/full').sort()

t.test('each area of the full suite is a job at night, and a row of CONTRIBUTING', async (t) => {
  const workflow = parse(readFileSync('.github/workflows/nightly.yml', 'utf8')) as {
    readonly jobs: {
      readonly full: { readonly strategy: { readonly matrix: { readonly area: readonly string[] } } }
    }
  }
  t.strictSame([...workflow.jobs.full.strategy.matrix.area].sort(), areas)
  const [, table = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('| `npm run test:full -- …`')
  const [rows = ''] = table.split('\n\n')
  t.strictSame([...rows.matchAll(/^\| `(\w+)`/gm)].map(([, area]) => area).sort(), areas)
})

t.test('each area has tests, and none is outside of an area', async (t) => {
  const tests = readdirSync('test/full', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  )
  t.strictSame([...new Set(tests.map((file) => file.split('/')[0]))].sort(), areas)
})
