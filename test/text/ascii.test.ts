import t from 'tap'
import { asciiSymbols, isAsciiLocale } from '../../src/text/ascii.js'
import { eventsOf, failingResult, passingResult } from '../reporters/fixture.js'
import { report } from '../reporters/golden.js'

t.test('what the reports print for a lab is ASCII, in lines of the same length', async (t) => {
  for (const result of [passingResult(), failingResult()])
    for (const name of ['pretty', 'brief'] as const) {
      const text = report(name, eventsOf(result), { width: 60 })
      const ascii = asciiSymbols(text)
      t.match(ascii, /^[\x20-\x7e\n]+$/)
      t.notMatch(text, /^[\x20-\x7e\n]+$/)
      t.strictSame(
        ascii.split('\n').map((line) => line.length),
        text.split('\n').map((line) => line.length),
      )
    }
  t.equal(asciiSymbols('━ ✗ ✓ ⇒ › ◀ ↳ − “node’s”'), `= x + > > < \` - "node's"`)
  t.equal(asciiSymbols('서비스 é'), '서비스 é', 'text from files is not changed')
})

t.test('the locale decides: LC_ALL before LC_CTYPE before LANG', async (t) => {
  t.ok(isAsciiLocale({ LC_ALL: 'C' }))
  t.ok(isAsciiLocale({ LC_ALL: '', LC_CTYPE: 'POSIX', LANG: 'en_US.UTF-8' }))
  t.ok(isAsciiLocale({ LANG: 'de_DE.ISO-8859-1@euro' }))
  t.notOk(isAsciiLocale({}))
  t.notOk(isAsciiLocale({ LC_ALL: 'C.UTF-8', LANG: 'C' }))
  t.notOk(isAsciiLocale({ LANG: 'ko_KR.utf8' }))
  t.notOk(isAsciiLocale({ LANG: 'en_US' }))
})
