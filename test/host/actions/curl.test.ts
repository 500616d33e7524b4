import t from 'tap'
import { keepsConnections } from '../../../src/host/actions/curl.js'

t.test('HTTP/2 keeps connections, and TLS may bring it', async (t) => {
  for (const [url, http, keeps] of [
    ['http://example.com/', undefined, false],
    ['http://example.com/', 1.1, false],
    ['http://example.com/', 2, true],
    ['https://example.com/', undefined, true],
    ['https://example.com/', 1.1, false],
    ['https://example.com/', 2, true],
  ] as const)
    t.equal(keepsConnections({ url, http }), keeps, `${url} ${http}`)
})
