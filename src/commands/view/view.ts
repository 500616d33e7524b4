import { Command, InvalidArgumentError } from 'commander'
import { InputError } from '../../errors.js'
import { isAddress } from '../../net/socketText.js'
import { servePageOf } from './servePageOf.js'

interface ViewFlags {
  readonly listen: string
  readonly port: number
  readonly insecureListen?: true
  readonly readOnly?: true
}

const help = `
Ctrl-C ends it. The page shows the topology with packets as they pass, sends requests and explains their paths.
The URL works once, in one browser. The page can do what vethlab can do in the lab, so keep the URL to yourself: other
users of this host can read it while it is in the arguments of a program that opens it.

Examples:
  $ sudo vethlab up nodeport
  $ sudo vethlab view nodeport`

/** `vethlab view <lab>`. */
export function viewCommand(): Command {
  return new Command('view')
    .description('Serves the page on 127.0.0.1, and prints its URL.')
    .argument('<lab>', 'name of a running lab')
    .option('--port <port>', 'the port to listen on (default: any free port)', readPort, 0)
    .option('--listen <address>', 'the address to listen on', readAddress, '127.0.0.1')
    .option(
      '--insecure-listen',
      'allow an address that other hosts can reach: the connection is not encrypted',
    )
    .option('--read-only', 'change no objects and rules, and open no terminals')
    .addHelpText('after', help)
    .action(view)
}

async function view(name: string, flags: ViewFlags): Promise<void> {
  const { listen: address, port, insecureListen = false, readOnly = false } = flags
  if (!isLoopback(address) && !insecureListen)
    throw new InputError([
      {
        message: `other hosts can reach ${address}, and the connection is not encrypted`,
        hint: 'use --listen 127.0.0.1 with `ssh -L`, or add --insecure-listen',
      },
    ])
  await servePageOf(name, { address, port, readOnly })
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127\./.test(address)
}

function readAddress(text: string): string {
  if (text === 'localhost') return '127.0.0.1'
  if (!isAddress(text)) throw new InvalidArgumentError('It must be an IPv4 or IPv6 address, such as ::1.')
  return text
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}
