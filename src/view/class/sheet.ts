import { renderSVG } from 'uqr'
import { escaped } from '../pageCode.js'
import type { ClassLink } from './trainerApi.js'

/** A page to print: a card with the link and its QR code for each participant. */
export function sheetPage(title: string, links: readonly ClassLink[]): string {
  const cards = links.map(
    ({ name, url }) => `<section>
<h2>${escaped(name)}</h2>
${renderSVG(url, { border: 2 })}
<p>${escaped(url)}</p>
</section>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escaped(title)}</title>
<style>
@page { size: A4; margin: 12mm; }
body { font: 11pt sans-serif; margin: 0; }
h1 { font-size: 14pt; }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 8mm; }
section { border: 1px dashed #666; padding: 5mm; break-inside: avoid; }
section svg { width: 45mm; height: 45mm; display: block; }
h2 { margin: 0 0 2mm; font-size: 16pt; }
p { font: 8pt monospace; overflow-wrap: anywhere; margin: 2mm 0 0; }
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<main>
${cards.join('\n')}
</main>
</body>
</html>
`
}
