import { readFileSync } from 'node:fs'
import t from 'tap'
import { annotationNames } from '../../src/ingress/rules/annotations.js'

const text = readFileSync('docs/ingress.md', 'utf8')

/** The code in a column of the table of annotations. */
function column(index: number): string[] {
  const [, section = ''] = text.split('\n## Annotations\n')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) =>
    [...(row.split('|')[index] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  )
}

t.test('every annotation that is read is in the table, and no other', async (t) => {
  const own = column(1).filter((name) => !name.startsWith('canary'))
  t.strictSame(own.sort(), [...annotationNames.nginx].sort())
  t.strictSame(column(2).sort(), [...annotationNames.haproxy].sort())
})

t.test('every reason of an event of a controller is documented', async (t) => {
  const rules = ['annotations', 'certificates', 'routes', 'sources'].map(
    (name) => `src/ingress/rules/${name}`,
  )
  const files = [...rules, 'src/lab/ingress/ingressEvents'].map((name) => readFileSync(`${name}.ts`, 'utf8'))
  const reasons = files.flatMap((file) =>
    [...file.matchAll(/warning\(\s*[\w.]+,\s*'(\w+)'/g)].map(([, reason]) => reason!),
  )
  t.ok(reasons.length >= 8)
  for (const reason of new Set(reasons)) t.ok(text.includes(`\`${reason}\``), reason)
})
