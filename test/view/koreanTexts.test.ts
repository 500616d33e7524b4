import t from 'tap'
import { english as classEnglish } from '../../src/view/page/class/englishTexts.js'
import { korean as classKorean } from '../../src/view/page/class/koreanTexts.js'
import { english } from '../../src/view/page/texts/english.js'
import { korean } from '../../src/view/page/texts/korean.js'

/** The names of objects are the same in Korean. */
const isName = (text: string) => text === 'EndpointSlice'

for (const [page, inEnglish, inKorean] of [
  ['the live page', english, korean],
  ['a class', classEnglish, classKorean],
] as const)
  t.test(`every Korean text of ${page} is Korean, and says what the English one counts`, async (t) => {
    let texts = 0
    const notKorean: string[] = []
    const check = (english: unknown, korean: unknown, at: string): void => {
      if (typeof english === 'object' && english !== null) {
        for (const [key, text] of Object.entries(english))
          check(text, (korean as Record<string, unknown>)[key], `${at} ${key}`)
        return
      }
      const args = /(since|ago|elapsed)$/.test(at) ? ['7', 'min'] : ['7', '8', '9']
      const written = (text: unknown) =>
        typeof text === 'function' ? String((text as (...given: unknown[]) => string)(...args)) : String(text)
      const text = written(korean)
      texts += 1
      if (!/[가-힣]/.test(text) && !isName(text)) notKorean.push(`${at}: ${text}`)
      if (typeof english === 'function')
        t.strictSame(text.match(/[789]/g)?.sort(), written(english).match(/[789]/g)?.sort(), at)
    }
    check(inEnglish, inKorean, page)
    t.ok(texts > 50, `${texts} texts`)
    t.strictSame(notKorean, [])
  })
