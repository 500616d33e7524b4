import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import t from 'tap'
import { pageFiles, pageOf } from '../../../scripts/site/pages.mjs'

t.test('the site is built from the same files, with a page for each, and can be searched', async (t) => {
  rmSync('build/site', { recursive: true, force: true })
  execFileSync('npm', ['run', '--silent', 'site'], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const file of pageFiles('.')) {
    const page = `build/site/${pageOf(file).replace(/\.md$/, '.html')}`
    t.ok(existsSync(page), page)
  }
  t.match(readFileSync('build/site/ko/labs/nodeport/index.html', 'utf8'), /lang="ko"[\s\S]*노드포트/)
  t.match(readFileSync('build/site/labs/nodeport/index.html', 'utf8'), 'href="/labs/traffic-policy/"')
  const chunks = readdirSync('build/site/assets/chunks')
  t.strictSame(
    chunks.filter((file) => /^@localSearchIndex(root|ko)\./.test(file)).length,
    2,
    'an index for each language',
  )
})
