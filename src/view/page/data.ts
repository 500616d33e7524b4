import type { ReportDocument } from '../report/document.js'
import type { Sentences } from '../report/sentences.js'

/** The text of a data block of the page: base64 of gzip. Throws Error if the page has no such block. */
function unpacked(id: string): Response {
  const text = document.getElementById(id)?.textContent
  if (text === undefined || text === null) throw new Error(`the report has no ${id}`)
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')))
}

/** The results that the page shows. */
export async function readReport(): Promise<ReportDocument> {
  return (await unpacked('report').json()) as ReportDocument
}

/** The sentences of a page that is not in English. */
export async function readSentences(): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries((await unpacked('sentences').json()) as Sentences))
}

/** Lets the browser save the packets of a lab as a pcapng file. */
export async function savePackets(index: number, lab: string): Promise<void> {
  const url = URL.createObjectURL(await unpacked(`packets-${index}`).blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `${lab.replaceAll(/[^\w.-]+/g, '-')}.pcapng`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
