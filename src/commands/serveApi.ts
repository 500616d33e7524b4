import { createInterface } from 'node:readline'
import { Command } from 'commander'
import { startApiServer } from '../apiserver/server.js'
import { createStore, type Store } from '../apiserver/store.js'
import { apiListens, type ApiOrder } from '../host/kubeProxy/apiOrder.js'
import { positiveNumber } from './options.js'

/** `vethlab serve-api`: the lab's Kubernetes API, run inside the sandbox; ends with its standard input. */
export function serveApiCommand(): Command {
  return new Command('serve-api')
    .requiredOption('--host <address>')
    .requiredOption('--port <port>', '', positiveNumber)
    .action(async ({ host, port }: { host: string; port: number }) => {
      let store: Store | undefined
      for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
        const { objects, standing } = JSON.parse(line) as ApiOrder
        if (store !== undefined) {
          store.replace(objects)
          continue
        }
        store = createStore(objects, standing === undefined ? {} : { standing })
        await startApiServer(store, { host, port })
        process.stdout.write(`${apiListens}\n`)
      }
      // watches may be open: whoever fed this has gone, and with it what it served
      process.exit()
    })
}
