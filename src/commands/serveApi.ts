import { Command } from 'commander'
import { serveApi } from '../host/kubeApi/serveApi.js'
import { positiveNumber } from './options.js'

/** `vethlab serve-api`: serves the lab's Kubernetes API inside the sandbox, until its standard input ends. */
export function serveApiCommand(): Command {
  return new Command('serve-api')
    .requiredOption('--host <address>')
    .requiredOption('--port <port>', '', positiveNumber)
    .action(async (address: { host: string; port: number }) => {
      await serveApi(address)
      // watches may be open, but the holder that sent the objects has ended
      process.exit()
    })
}
