import t from 'tap'
import { languageOf } from '../../src/text/language.js'

t.test('the environment decides on the language, in the order of POSIX', async (t) => {
  t.equal(languageOf({}), 'en')
  t.equal(languageOf({ LANG: 'ko_KR.UTF-8' }), 'ko')
  t.equal(languageOf({ LANG: 'ko' }), 'ko')
  t.equal(languageOf({ LANG: 'kok_IN.UTF-8' }), 'en', 'Konkani is another language')
  t.equal(languageOf({ LANG: 'ko_KR.UTF-8', LC_ALL: 'C' }), 'en')
  t.equal(languageOf({ LANG: 'ko_KR.UTF-8', LC_MESSAGES: 'de_DE.UTF-8' }), 'en')
  t.equal(languageOf({ LANG: 'C', LC_MESSAGES: 'ko_KR.UTF-8' }), 'ko')
  t.equal(languageOf({ LANG: 'ko_KR.UTF-8', LC_ALL: '' }), 'ko', 'an empty variable is as good as none')
})
