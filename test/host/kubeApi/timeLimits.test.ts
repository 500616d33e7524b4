import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { SandboxError } from '../../../src/errors.js'
import { callApi } from '../../../src/host/kubeApi/callApi.js'
import { askApi } from '../../../src/host/kubeApi/curlApi.js'

/** A command is run on this host. */
const here = { command: (argv: readonly string[]) => [...argv] }
const never = new AbortController().signal

/** A server that accepts connections and sends only a text, as one that is stopped (SIGSTOP) sends nothing more. */
async function stopped(t: Test, text: string): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})) && socket.write(text))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/pods`
}

const begun = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"kind":'

t.test('a request to an API server that is stopped ends with what did not answer', async (t) => {
  for (const text of ['', begun]) {
    const target = { url: await stopped(t, text), token: 'x' }
    // short on purpose: no answer comes
    const error = await askApi('the lab "web"', here, target, [], 1).catch((error: unknown) => error)
    t.type(error, SandboxError)
    t.match((error as Error).message, /^the lab "web" does not answer.*Kubernetes API sent no answer in 1 s/s)
  }
})

t.test('so does a call for the live page; an answer that has begun has no limit', async (t) => {
  const call = { token: 'x', method: 'GET', headers: {}, body: '' }
  // short on purpose: no answer comes
  const error = await callApi(here, { ...call, url: await stopped(t, '') }, never, 500).catch(
    (error: unknown) => error,
  )
  t.match((error as Error).message, /Kubernetes API sent no answer in 0.5 s/)
  const end = new AbortController()
  t.teardown(() => end.abort())
  const answer = await callApi(here, { ...call, url: await stopped(t, begun) }, end.signal, 30_000)
  t.equal(answer.status, 200)
})

t.test('an API server that does not listen is reported at once', async (t) => {
  const target = { url: 'http://127.0.0.1:1/api', token: 'x' }
  await t.rejects(askApi('the lab "web"', here, target, []), { message: /its API cannot be reached/ })
})
