import { gzipSync } from 'node:zlib'
import { labFailed } from '../../results/verdict.js'
import { escaped, policyFor, type PageCode } from '../pageCode.js'
import type { ReportDocument } from './document.js'

/**
 * One HTML file that needs nothing else: the page, the results and the packets of each lab (pcapng, packed; undefined for none). Its content security policy allows only its own script and style.
 */
export function htmlPage(
  document: ReportDocument,
  packets: readonly (string | undefined)[],
  { script, style }: PageCode,
): string {
  const policy = policyFor({ script, style })
  const title = titleOf(document)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="generator" content="vethlab ${escaped(document.vethlab)}">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>
<h1>${escaped(title)}</h1>
<p>The topology, the packets and their rules need JavaScript.</p>
<ul>
${document.labs.map((lab) => `<li>${escaped(lineOf(lab))}</li>`).join('\n')}
</ul>
</noscript>
${dataBlock('report', pack(Buffer.from(JSON.stringify(document))))}
${packets.flatMap((text, index) => (text === undefined ? [] : [dataBlock(`packets-${index}`, text)])).join('\n')}
<script type="module">${script}</script>
</body>
</html>
`
}

function titleOf({ labs }: ReportDocument): string {
  const [only, ...others] = labs
  if (only !== undefined && others.length === 0) return `vethlab: ${lineOf(only)}`
  const failed = labs.filter(({ report }) => labFailed(report)).length
  return failed > 0 ? `vethlab: ${failed} of ${labs.length} labs failed` : `vethlab: ${labs.length} labs`
}

function lineOf({ report, verdict }: ReportDocument['labs'][number]): string {
  if (verdict !== undefined) return `${report.lab}: ${verdict}`
  const end = report.skipped !== undefined ? 'skipped' : labFailed(report) ? 'failed' : 'passed'
  return `${report.lab}: ${end}`
}

/** The form in which a page contains data: gzip in base64, which has no character that ends a script element. */
export function pack(bytes: Buffer): string {
  return gzipSync(bytes, { level: 9 }).toString('base64')
}

function dataBlock(id: string, text: string): string {
  return `<script type="application/gzip" id="${id}">${text}</script>`
}
