import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { mapOf, parseSlides, pictureOf, slidesPage } from '../../scripts/course/slides.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { tracedRequest } from '../../src/diagnose/tracedRequest.js'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import { learningPath } from '../../src/lab/workshop/paths.js'
import { languages } from '../../src/text/language.js'

const slides = parseSlides(parse(readFileSync('docs/course/slides.yaml', 'utf8')))
const guide = readFileSync('docs/course/README.md', 'utf8')
const shown = [
  ...slides.flatMap(({ commands = [] }) => commands),
  ...(guide.match(/^ {4}vethlab .*$/gm) ?? []),
]
const ending = (language: string) => (language === 'en' ? '' : `.${language}`)

t.test('commands of the slides and of the guide name labs, places and exercises that exist', async (t) => {
  t.ok(shown.length > 10)
  for (const command of shown.map((text) => text.trim())) {
    const [, trace] = /^vethlab trace (.*)$/.exec(command) ?? []
    const [, exercise] = /^vethlab workshop start (\S+)$/.exec(command) ?? []
    const [, lab] = /^vethlab (?:up|exec|down) (\S+)/.exec(command) ?? []
    const [name = '', from = '', to = ''] = (trace ?? '').split(' ')
    if (trace !== undefined)
      t.ok(tracedRequest(planSnapshot(name).model, { from, to, protocol: 'tcp' }), command)
    else if (exercise !== undefined) t.ok(loadExercise(exercise), command)
    else t.ok(planSnapshot(lab ?? ''), command)
  }
})

t.test('drills and minutes are those of the path and of the exercises', async (t) => {
  const { exercises } = learningPath('two-hours')
  const drills = [...guide.matchAll(/^\| ([a-z-]+) +\| (\d+) /gm)]
  t.strictSame(
    drills.map(([, name]) => name),
    exercises.slice(1, 4),
  )
  t.equal(exercises[0], 'empty-address')
  const minutes = [...guide.matchAll(/^\| (\d+)–(\d+) /gm)].map(([, from, to]) => [Number(from), Number(to)])
  t.strictSame([minutes[0]?.[0], minutes.at(-1)?.[1]], [0, 120])
  for (const [index, [from]] of minutes.slice(1).entries()) t.equal(from, minutes[index]?.[1])
})

t.test('slides are one file each, with the pictures of the lessons', async (t) => {
  for (const language of languages) {
    const handout = readFileSync(`docs/course/handout${ending(language)}.html`, 'utf8')
    const page = slidesPage(slides, language, {
      picture: (lesson) =>
        pictureOf(lesson, readFileSync(`labs/${lesson}/README${ending(language)}.md`, 'utf8'), language),
      map: mapOf(handout),
      css: readFileSync('docs/course/slides.css', 'utf8'),
    })
    t.equal(page.match(/<section/g)?.length, slides.length)
    t.match(page, 'DNAT 10.244.1.4:8080', 'the picture of clusterip')
    t.match(page, 'KUBE-POSTROUTING</text>', 'the map of the handout')
    t.notMatch(page, /(src|href)=|url\((?!#)|@import/, 'it needs no other file')
  }
  t.throws(() => pictureOf('x', '# X\n\n## Try it\n\n```\na\n```\n', 'en'), { message: /x has no picture/ })
  const first = { title: { en: 'a', ko: '가' }, points: { en: ['a', 'b'], ko: ['가'] } }
  t.throws(() => parseSlides([first]), { message: /"a" has other points in Korean/ })
})
