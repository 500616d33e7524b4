import { render } from 'preact'
import { App } from './App.js'
import { readReport, readSentences } from './data.js'
import { language } from './language.js'
import { followAddress, keepAddress, report } from './navigation.js'
import type { PageTexts } from './texts/english.js'
import { inKorean } from './texts/say.js'
import { sentence } from './texts/sentence.js'

declare global {
  /** What the script of Korean texts leaves, in a report that has it. */
  var koreanTexts: PageTexts | undefined
}

const place = document.getElementById('app')
if (place !== null) {
  try {
    report.value = await readReport()
    if (globalThis.koreanTexts !== undefined) await useKorean(globalThis.koreanTexts)
    followAddress()
    addEventListener('hashchange', followAddress)
    keepAddress()
    render(<App />, place)
  } catch (error) {
    place.textContent = `This report cannot be shown: ${String(error)}`
  }
}

async function useKorean(texts: PageTexts): Promise<void> {
  inKorean.value = texts
  const known = await readSentences()
  sentence.value = (text) => known.get(text) ?? text
  language.value = 'ko'
}
