import { existsSync, readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { anchorOf, linkOf, pageFiles, pageOf, sectionsOf } from '../../scripts/site/pages.mjs'

t.test('a README is the index of its folder, and Korean pages are below ko/', async (t) => {
  t.equal(pageOf('README.md'), 'index.md')
  t.equal(pageOf('README.ko.md'), 'ko/index.md')
  t.equal(pageOf('labs/nodeport/README.md'), 'labs/nodeport/index.md')
  t.equal(pageOf('labs/nodeport/README.ko.md'), 'ko/labs/nodeport/index.md')
  t.equal(pageOf('docs/rules.md'), 'docs/rules.md')
  const files = pageFiles('.')
  t.ok(files.length > 90)
  t.equal(new Set(files.map(pageOf)).size, files.length, 'each file has its own page')
})

t.test('links between files become links between pages', async (t) => {
  t.equal(linkOf('labs/nodeport/README.md', '../clusterip/README.md'), '/labs/clusterip/')
  t.equal(linkOf('labs/nodeport/README.ko.md', '../clusterip/README.ko.md'), '/ko/labs/clusterip/')
  t.equal(linkOf('docs/rules.md', 'lab-format.md#steps'), '/docs/lab-format#steps')
  t.equal(linkOf('docs/rules.md', '../README.md'), '/')
  t.equal(linkOf('docs/rules.md', '#top'), '#top')
  t.equal(linkOf('docs/rules.md', 'https://kubernetes.io/'), 'https://kubernetes.io/')
  t.equal(linkOf('docs/rules.md', '../src/index.ts'), undefined, 'not a page')
  t.equal(anchorOf('What `rules` prints'), 'what-rules-prints')
  t.equal(anchorOf('직접 해 보기'), '직접-해-보기')
})

t.test('the side bar has the pages of the index', async (t) => {
  const sections = sectionsOf('docs/README.md', readFileSync('docs/README.md', 'utf8'))
  t.ok(sections.length > 4)
  const links = sections.flatMap(({ items }) => items.map(({ link }) => link))
  t.ok(links.includes('/docs/rules'))
  for (const file of ['labs/README.md', 'labs/README.ko.md']) {
    const items = sectionsOf(file, readFileSync(file, 'utf8')).flatMap((section) => section.items)
    const labs = readdirSync('labs').filter((name) => existsSync(`labs/${name}/lab.yaml`))
    t.same(items.map(({ text }) => text).sort(), labs.sort(), file)
    const prefix = file.endsWith('.ko.md') ? '/ko/labs/' : '/labs/'
    t.ok(
      items.every(({ text, link }) => link === `${prefix}${text}/`),
      file,
    )
  }
})
