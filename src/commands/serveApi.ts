import { Command } from 'commander'
import { serveApi } from '../host/kubeApi/serveApi.js'
import { positiveNumber } from './options.js'

/** `vethlab serve-api`: the lab's Kubernetes API, run inside the sandbox; ends with its standard input. */
export function serveApiCommand(): Command {
  return new Command('serve-api')
    .requiredOption('--host <address>')
    .requiredOption('--port <port>', '', positiveNumber)
    .action(async (address: { host: string; port: number }) => {
      await serveApi(address)
      // watches may be open: whoever fed this has gone, and with it what it served
      process.exit()
    })
}
