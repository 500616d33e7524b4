// The kube-proxy process of mode userspace, run in a node's namespace: `portals.cjs --file JSON --socket PATH --pid-file
// PATH`. A separate program, because it starts in half the time of the command line. It ends with its sandbox.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { PortalOrders } from '../../agents/kubeProxy/userspace/orders.js'
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
    process.stderr.write(`${key}: cannot bind ${what} ${port} on ${address}: ${code}\n`)
    process.exit(1)
  }
  await servePortals(portals, values.socket)
  // rename, so that the file is never empty
  const pidFile = values['pid-file']
  writeFileSync(`${pidFile}.new`, `${process.pid}\n`)
  renameSync(`${pidFile}.new`, pidFile)
}

void main()
