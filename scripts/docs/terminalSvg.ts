/** Width of a column and height of a line, in the units of the picture. */
const column = 7.8
const lineHeight = 18
const margin = 20

/** The SGR codes of `createColours`, as classes of the picture. */
const classes: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  35: 'magenta',
  36: 'cyan',
}
/** Codes that end a style, and what they end. */
const ends: Readonly<Record<number, RegExp>> = { 22: /bold|dim/, 39: /red|green|yellow|magenta|cyan/ }

const style = `
  .back { fill: #f6f8fa; stroke: #d0d7de }
  text { fill: #1f2328; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre }
  .bold { font-weight: 700 } .dim { fill: #59636e }
  .red { fill: #c21c2c } .green { fill: #116329 } .yellow { fill: #855700 } .magenta { fill: #8e1f8e } .cyan { fill: #0a5a78 }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117; stroke: #3d444d }
    text { fill: #e6edf3 } .dim { fill: #9198a1 }
    .red { fill: #ff7b72 } .green { fill: #56d364 } .yellow { fill: #e3b341 } .magenta { fill: #e2a5f5 } .cyan { fill: #79dcf2 }
  }`

/** Lines of a terminal, with the colours of `createColours`, as an SVG that follows the reader's light or dark theme. */
export function terminalSvg(lines: readonly string[], { title }: { readonly title: string }): string {
  const columns = Math.max(...lines.map((line) => plain(line).length))
  const width = Math.ceil(columns * column) + 2 * margin
  const height = lines.length * lineHeight + 2 * margin
  const texts = lines.map(
    (line, index) => `<text y="${margin + 13 + index * lineHeight}" x="${margin}">${spans(line)}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}\n</style>`,
    `<rect class="back" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...texts.filter((text) => text.includes('<tspan')),
    '</svg>\n',
  ].join('\n')
}

/** A line without its colours. */
export function plain(line: string): string {
  return line.replaceAll(/\x1b\[\d+m/g, '')
}

/** The parts of a line that have the same style; each is put at its column, whatever font shows it. */
function spans(line: string): string {
  let active: readonly string[] = []
  let at = 0
  let text = ''
  for (const part of line.split(/(\x1b\[\d+m)/)) {
    const code = Number(/^\x1b\[(\d+)m$/.exec(part)?.[1] ?? NaN)
    const [begun, ended] = [classes[code], ends[code]]
    if (begun !== undefined) active = [...active, begun]
    else if (ended !== undefined) active = active.filter((name) => !ended.test(name))
    else
      for (const word of part.split(/( {2,})/)) {
        const x = (margin + at * column).toFixed(1)
        const name = active.length === 0 ? '' : ` class="${active.join(' ')}"`
        const length = (word.length * column).toFixed(1)
        if (word.trim() !== '')
          text += `<tspan x="${x}" textLength="${length}"${name}>${escaped(word)}</tspan>`
        at += word.length
      }
  }
  return text
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
