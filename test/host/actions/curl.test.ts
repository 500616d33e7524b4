import t from 'tap'
import { keepsConnections, runCurl } from '../../../src/host/actions/curl.js'
import { fakeSandbox } from '../../../src/host/sandbox/fake/fakeSandbox.js'

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

/** A sandbox whose curl ends each transfer with this exit code and error, and counts the transfers. */
function failing(exitcode: number, error: string) {
  const made = { transfers: 0 }
  const sandbox = fakeSandbox()
  const run = (argv: readonly string[]) => {
    const ends = argv.filter((_, index) => argv[index - 1] === '--write-out')
    const transfers = argv.includes('--fail-early') ? ends.slice(0, 1) : ends
    made.transfers += transfers.length
    const report = JSON.stringify({ exitcode, errormsg: error })
    const texts = transfers.map((end) => end.split('%{stderr}'))
    return {
      exitCode: exitcode,
      stdout: texts.map(([out = '']) => out.replace('%{json}', report)).join(''),
      stderr: texts.map(([, out = '']) => `* ${error}${out}`).join(''),
    }
  }
  sandbox.plan(/^curl --disable /, run, { times: Infinity })
  return { made, sandbox }
}

const request = { kind: 'curl', url: 'http://10.96.0.10/', headers: {}, timeoutSeconds: 30 } as const

t.test('repetitions end with the requests that are waited for', async (t) => {
  for (const [exitcode, error, outcome] of [
    [28, 'Connection timed out after 30000 milliseconds', 'timeout'],
    [7, 'No route to host', 'unreachable'],
  ] as const) {
    const { made, sandbox } = failing(exitcode, error)
    const results = await runCurl(sandbox, 'client', request, { repeat: 200, giveUpAfter: 3 })
    t.same(
      results.map((result) => result.outcome),
      [outcome, outcome, outcome],
    )
    t.equal(made.transfers, 3)
  }
})

t.test('requests that are refused at once are all made', async (t) => {
  const { made, sandbox } = failing(7, 'Connection refused')
  const results = await runCurl(sandbox, 'client', request, { repeat: 20, giveUpAfter: 3 })
  t.equal(results.length, 20)
  t.equal(made.transfers, 20)
})

t.test('a step that expects lost requests makes all of them', async (t) => {
  const { sandbox } = failing(7, 'No route to host')
  const results = await runCurl(sandbox, 'client', request, { repeat: 20, giveUpAfter: Infinity })
  t.equal(results.length, 20)
})
