import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const pages = [
  ...readdirSync('.').filter((file) => file.endsWith('.md')),
  'scripts/README.md',
  ...['docs', 'labs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file)),
  ),
]

/** The anchors of a page: its headings, spelled as GitHub does. */
function anchorsOf(page: string): Set<string> {
  const text = readFileSync(page, 'utf8').replaceAll(/^(`{3,}).*?^\1$/gms, '')
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

t.test('every link between the pages leads to a file, and to a heading of it', async (t) => {
  t.ok(pages.length > 50)
  for (const page of pages) {
    const prose = readFileSync(page, 'utf8').replaceAll(/^(`{3,}).*?^\1$/gms, '')
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [file = '', anchor] = target.split('#')
      const path = file === '' ? page : join(dirname(page), file)
      if (!existsSync(path)) t.fail(`${page} links to ${target}, which does not exist`)
      else if (
        anchor !== undefined &&
        path.endsWith('.md') &&
        !anchorsOf(path).has(decodeURIComponent(anchor))
      )
        t.fail(`${page} links to ${target}: there is no such heading`)
    }
  }
})

t.test('docs/README.md lists every page', async (t) => {
  const index = readFileSync('docs/README.md', 'utf8')
  for (const page of readdirSync('docs').filter((file) => file.endsWith('.md') && file !== 'README.md'))
    t.ok(index.includes(`(${page})`), page)
})

t.test('scripts/README.md lists every script of package.json and every folder', async (t) => {
  const page = readFileSync('scripts/README.md', 'utf8')
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  for (const name of Object.keys(scripts))
    t.match(page, new RegExp(`^\\| \`(npm (run )?)?${name}\\b`, 'm'), name)
  for (const { name } of readdirSync('scripts', { withFileTypes: true }).filter((one) => one.isDirectory()))
    t.ok(page.includes(`| \`${name}/\``), name)
})
