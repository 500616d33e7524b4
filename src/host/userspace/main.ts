// The kube-proxy process of mode userspace, run in a node's namespace and built as a program of its own, for it starts
// in half the time of the whole command line: `portals.cjs --file JSON --socket PATH --pid-file PATH`. It ends with its
// sandbox.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { PortalOrders } from '../../proxy/userspace/orders.js'
import { servePortals } from './portalServer.js'
import { createPortals } from './servedPortals.js'

async function main(): Promise<void> {
  const text = { type: 'string', default: '' } as const
  const { values } = parseArgs({ options: { file: text, socket: text, 'pid-file': text } })
  const portals = createPortals({ random: Math.random, now: () => performance.now() })
  for (const orders of JSON.parse(readFileSync(values.file, 'utf8')) as PortalOrders[]) {
    const [refused] = await portals.replace(orders)
    if (refused === undefined) continue
    const { key, what, address, port, code } = refused
    process.stderr.write(`${key}: ${what} ${port} on ${address} cannot be had: ${code}\n`)
    process.exit(1)
  }
  await servePortals(portals, values.socket)
  // whoever waits for the file finds a number in it
  const pidFile = values['pid-file']
  writeFileSync(`${pidFile}.new`, `${process.pid}\n`)
  renameSync(`${pidFile}.new`, pidFile)
}

void main()
