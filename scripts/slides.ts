// Writes build/course/slides.html and slides.ko.html, the slides of docs/course: pictures of the lessons, points and commands.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { languages } from '../src/text/language.js'
import { mapOf, parseSlides, pictureOf, slidesPage } from './course/slides.js'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const slides = parseSlides(parse(read('docs/course/slides.yaml')))
const folder = join(root, 'build/course')
mkdirSync(folder, { recursive: true })
for (const language of languages) {
  const ending = language === 'en' ? '' : `.${language}`
  const page = slidesPage(slides, language, {
    picture: (lesson) => pictureOf(lesson, read(`labs/${lesson}/README${ending}.md`), language),
    map: mapOf(read(`docs/course/handout${ending}.html`)),
    css: read('docs/course/slides.css'),
  })
  writeFileSync(join(folder, `slides${ending}.html`), page)
  console.log(`build/course/slides${ending}.html`)
}
