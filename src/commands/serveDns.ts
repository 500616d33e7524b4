import { Command } from 'commander'
import { startDnsServer } from '../dns/server.js'
import { zoneFile } from '../dns/zoneFile.js'

/** `vethlab serve-dns`: the cluster's DNS server, run inside its pod. */
export function serveDnsCommand(): Command {
  return new Command('serve-dns')
    .requiredOption('--zone <file>')
    .option('--host <address...>', '', ['0.0.0.0'])
    .option('--outside <address...>', '', [])
    .action(async ({ zone, host, outside }: { zone: string; host: string[]; outside: string[] }) => {
      await startDnsServer({
        zone: zoneFile(zone),
        hosts: host,
        outside,
        log: (line) => process.stdout.write(`${line}\n`),
      })
    })
}
