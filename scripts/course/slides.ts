import * as z from 'zod'
import { languages, type Language } from '../../src/text/language.js'
import { textWidth } from '../../src/text/textWidth.js'

const inBoth = <Schema extends z.ZodType>(schema: Schema) => z.strictObject({ en: schema, ko: schema })

const slideSchema = z.strictObject({
  title: inBoth(z.string()),
  lesson: z.string().optional(),
  map: z.literal(true).optional(),
  points: inBoth(z.array(z.string())).optional(),
  commands: z.array(z.string()).optional(),
})

/** A slide, as docs/course/slides.yaml has it. */
export type Slide = z.infer<typeof slideSchema>

/** The slides of docs/course/slides.yaml. Throws if one is not valid, or has not as many points in every language. */
export function parseSlides(value: unknown): readonly Slide[] {
  const slides = z.array(slideSchema).min(1).parse(value)
  for (const { title, points } of slides)
    if (points !== undefined && new Set(languages.map((language) => points[language].length)).size > 1)
      throw new Error(`the slide "${title.en}" has other points in Korean`)
  return slides
}

/** The first fenced block below the heading `Picture` of a lesson. Throws if there is none. */
export function pictureOf(lesson: string, readme: string, language: Language): string {
  const heading = { en: 'Picture', ko: '그림' }[language]
  const [, section = ''] = readme.split(`\n## ${heading}\n`)
  const [, picture] = /^```\w*\n(.*?)^```$/ms.exec(section) ?? []
  if (picture === undefined) throw new Error(`the lesson ${lesson} has no picture below "## ${heading}"`)
  return picture.trimEnd()
}

/** The drawing of the handout. */
export function mapOf(handout: string): string {
  const [map] = /<svg.*?<\/svg>/s.exec(handout) ?? []
  if (map === undefined) throw new Error('the handout has no drawing')
  return map
}

/** All slides as one page that needs no other file. `picture` returns the picture of a lesson. */
export function slidesPage(
  slides: readonly Slide[],
  language: Language,
  { picture, map, css }: { picture: (lesson: string) => string; map: string; css: string },
): string {
  const sections = slides.map(({ title, lesson, map: hasMap, points, commands = [] }, index) => {
    const parts = [
      `<h2>${escapeHtml(title[language])}</h2>`,
      ...(lesson === undefined ? [] : [drawing(picture(lesson))]),
      ...(hasMap === undefined ? [] : [map]),
      ...(points === undefined
        ? []
        : [`<ul>${points[language].map((point) => `<li>${escapeHtml(point)}</li>`).join('')}</ul>`]),
      ...commands.map((command) => `<pre class="command">${escapeHtml(command)}</pre>`),
      `<footer>${index + 1} / ${slides.length}</footer>`,
    ]
    return `<section id="s${index + 1}">\n${parts.join('\n')}\n</section>`
  })
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<title>${escapeHtml(slides[0]?.title[language] ?? '')}</title>
<style>
${css}</style>
</head>
<body>
${sections.join('\n')}
<script>
addEventListener('keydown', ({ key }) => {
  const step = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 }[key]
  if (step === undefined) return
  event.preventDefault()
  const all = [...document.querySelectorAll('section')]
  const now = all.findIndex((one) => one.getBoundingClientRect().bottom > innerHeight / 2)
  all[Math.max(0, Math.min(all.length - 1, now + step))].scrollIntoView()
})
</script>
</body>
</html>
`
}

/** A picture made of characters, as large as the slide allows. */
function drawing(text: string): string {
  const columns = Math.max(...text.split('\n').map(textWidth))
  // a character of a monospaced font is 0.602 times as wide as the font is high
  const size = Math.min(1.9, 86 / (columns * 0.602))
  return `<pre class="picture" style="font-size: ${size.toFixed(2)}vw">${escapeHtml(text)}</pre>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
