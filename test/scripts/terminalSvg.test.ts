import { readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'
import t from 'tap'
import { plain, terminalSvg } from '../../scripts/docs/terminalSvg.js'
import { createColours } from '../../src/text/colour.js'

/** The texts of an SVG with their class and column; throws when it is not well-formed. */
function textsOf(svg: string): { text: string; class?: string; x: string }[] {
  const found: { text: string; class?: string; x: string }[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  let inside = false
  parser.on('opentag', ({ name, attributes }) => {
    inside = name === 'tspan'
    if (!inside) return
    const { x = '', class: style } = attributes as Record<string, string>
    found.push({ text: '', x, ...(style === undefined ? {} : { class: style }) })
  })
  parser.on('text', (text) => {
    const last = found.at(-1)
    if (inside && last !== undefined) last.text += text
  })
  parser.on('closetag', () => (inside = false))
  parser.write(svg).close()
  return found
}

t.test('colours are classes, and each part is at its column', async (t) => {
  const colours = createColours(true)
  const line = `${colours.bold(colours.good('a < b'))} & c  ${colours.snat('SNAT')}`
  t.equal(plain(line), 'a < b & c  SNAT')
  t.strictSame(textsOf(terminalSvg([line, ''], { title: 'x > y' })), [
    { text: 'a < b', x: '20.0', class: 'bold green' },
    { text: ' & c', x: '59.0' },
    { text: 'SNAT', x: '105.8', class: 'magenta' },
  ])
})

t.test('docs/nodeport.svg is a passed run of the lab', async (t) => {
  const texts = textsOf(readFileSync('docs/nodeport.svg', 'utf8')).map(({ text }) => text)
  t.equal(texts[0], '$ sudo npm run lab nodeport')
  t.ok(texts.some((text) => /checks passed, .*nothing left behind/.test(text)))
})
