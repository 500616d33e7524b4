import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { listLabs } from '../../src/lab/file/findLab.js'
import { otherSpellings, outlineOf, untranslated } from '../lessons/outline.js'

// The exercises' translations are seen to in test/lab/workshop/translations.test.ts.

t.test('every lesson is translated into Korean, with the same content', async (t) => {
  const labs = listLabs()
  t.ok(labs.length > 20, 'the labs are found')
  for (const lab of labs) compare(t, join('labs', basename(lab)))
})

t.test('so is the way through them', async (t) => {
  compare(t, 'labs')
  const way = readFileSync('labs/README.ko.md', 'utf8')
  for (const lab of listLabs().map((directory) => basename(directory)))
    t.ok(way.includes(`(${lab}/README.ko.md)`), `${lab} is on the way`)
})

t.test('so is the README of the project', async (t) => compare(t, '.'))

t.test('so is the guide of the course', async (t) => compare(t, 'docs/course'))

/** Sees that README.ko.md of a folder says what its README.md says. */
function compare(t: Test, folder: string): void {
  const file = join(folder, 'README.ko.md')
  t.ok(existsSync(file), `${file}, the lesson in Korean, is there`)
  if (!existsSync(file)) return
  const [english, korean] = ['README.md', 'README.ko.md'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  )
  const { links: from, ...original } = outlineOf(english ?? '')
  const { links: to, ...translation } = outlineOf(korean ?? '')
  t.strictSame(translation, original, `${file} has the outline of README.md`)
  t.strictSame(to, from.map(inOtherLanguage).sort(), `${file} links the same, in Korean`)
  t.strictSame(untranslated(korean ?? ''), [], `${file} is in Korean`)
  t.strictSame(otherSpellings(korean ?? ''), [], `${file} spells each name in one way`)
  for (const target of to.filter((link) => !/^https?:/.test(link)))
    t.ok(existsSync(join(dirname(file), target.replace(/#.*/, ''))), `${file}: ${target} is there`)
}

/** Lessons link to lessons of their own language, and those two to each other. */
function inOtherLanguage(link: string): string {
  if (/^README(\.ko)?\.md$/.test(link)) return link === 'README.md' ? 'README.ko.md' : 'README.md'
  return link.replace(/(README|handout)\.(md|html)$/, '$1.ko.$2')
}
