import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'

const rows = readFileSync('docs/coverage.md', 'utf8')
  .split('\n')
  .map((line) => /^(\d+)\. (.*?)(?: \(C\))?: (`.*|not covered.*)$/.exec(line))
  .filter((row) => row !== null)

t.test('each of the 49 behaviours has its row', async (t) => {
  t.strictSame(
    rows.map(([, number]) => Number(number)),
    Array.from({ length: 49 }, (_, index) => index + 1),
  )
})

t.test('each row names steps that there are, or says why there is none', async (t) => {
  for (const [, number, behaviour, where = ''] of rows) {
    const named = [...where.matchAll(/`([a-z0-9-]+)` › /g)]
    if (named.length === 0) t.match(where, /^not covered(?: by a lab)?: .{20,}/, `${number} ${behaviour}`)
    for (const { 0: head, 1: lab = '', index } of named) {
      const rest = where.slice(index + head.length)
      t.ok(
        stepsOf(lab).some((step) => rest.startsWith(step)),
        `${number}: a step of the lab ${lab} begins "${rest.slice(0, 60)}"`,
      )
    }
  }
})

function stepsOf(lab: string): string[] {
  const file = join('labs', lab, 'lab.yaml')
  if (!existsSync(file)) return []
  const { steps } = parse(readFileSync(file, 'utf8')) as { steps: { name: string }[] }
  return steps.map(({ name }) => name)
}
