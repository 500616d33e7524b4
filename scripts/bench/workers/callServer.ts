// Calls a server over HTTP, a connection for each request: `node callServer.mjs <host> <port> <requests> <at a time>`.
// Prints the milliseconds that all of them took together. A request that is not answered with 200 is an error.
import { connect } from 'node:net'

const [host = '', port = '', requests = '', atATime = ''] = process.argv.slice(2)
const text = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

// what is compiled on the way belongs to no side
await all(Number(atATime) * 4)
const start = performance.now()
await all(Number(requests))
process.stdout.write(`${performance.now() - start}\n`)

async function all(count: number): Promise<void> {
  let left = count
  const one = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: Number(atATime) }, one))
}

function call(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), noDelay: true })
    let heard = ''
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => (heard += part))
    socket.on('error', reject)
    socket.on('close', () => {
      if (heard.startsWith('HTTP/1.1 200 ')) resolve()
      else reject(new Error(`not answered: ${heard.slice(0, 60)}`))
    })
    // the server closes: a proxy in user space takes the client's end for the end of all
    socket.write(text)
  })
}
