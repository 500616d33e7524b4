import { gzipSync } from 'node:zlib'
import { labFailed } from '../../results/verdict.js'
import type { Language } from '../../text/language.js'
import { escaped, policyFor, type PageCode } from '../pageCode.js'
import { translations } from '../path/korean.js'
import type { ReportDocument } from './document.js'
import { sentencesOf } from './sentences.js'

/**
 * One HTML file that needs nothing else: the page, the results and the packets of each lab (pcapng, packed; undefined for none). In
 * another language than English, it has its sentences too. Its content security policy allows only its own scripts and style.
 */
export function htmlPage(
  document: ReportDocument,
  packets: readonly (string | undefined)[],
  code: PageCode,
  language: Language = 'en',
): string {
  const { script, style, texts } = code
  const policy = policyFor(code)
  const title = titleOf(document, language)
  const scripts =
    language === 'en' || texts === undefined
      ? []
      : [
          dataBlock('sentences', pack(Buffer.from(JSON.stringify(sentencesOf(document, language))))),
          `<script>${texts}</script>`,
        ]
  return `<!doctype html>
<html lang="${language}">
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
<p>${needsScript[language]}</p>
<ul>
${document.labs.map((lab) => `<li>${escaped(lineOf(lab, language))}</li>`).join('\n')}
</ul>
</noscript>
${dataBlock('report', pack(Buffer.from(JSON.stringify(document))))}
${packets.flatMap((text, index) => (text === undefined ? [] : [dataBlock(`packets-${index}`, text)])).join('\n')}
${scripts.join('\n')}
<script type="module">${script}</script>
</body>
</html>
`
}

const needsScript: Readonly<Record<Language, string>> = {
  en: 'The topology, the packets and their rules need JavaScript.',
  ko: '토폴로지, 패킷, 규칙을 보려면 JavaScript가 필요합니다.',
}

function titleOf({ labs }: ReportDocument, language: Language): string {
  const [only, ...others] = labs
  if (only !== undefined && others.length === 0) return `vethlab: ${lineOf(only, language)}`
  const failed = labs.filter(({ report }) => labFailed(report)).length
  return failed > 0 ? `vethlab: ${failed} of ${labs.length} labs failed` : `vethlab: ${labs.length} labs`
}

function lineOf({ report, verdict }: ReportDocument['labs'][number], language: Language): string {
  if (verdict !== undefined)
    return `${report.lab}: ${language === 'en' ? verdict : (translations[language](verdict) ?? verdict)}`
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
