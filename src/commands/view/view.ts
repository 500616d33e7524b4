import { Command, InvalidArgumentError, Option } from 'commander'
import { InputError } from '../../errors.js'
import { collect } from '../../host/manifestFiles.js'
import { isAttached } from '../../inspect/isAttached.js'
import { isAddress } from '../../net/socketText.js'
import type { Language } from '../../text/language.js'
import { languageOption } from '../options.js'
import { servePageOf } from './servePageOf.js'
import { viewRead, writeReadPage } from './viewRead.js'

interface ViewFlags {
  readonly listen: string
  readonly port: number
  readonly insecureListen?: true
  readonly readOnly?: true
  readonly html?: string
  readonly filename?: readonly string[]
  readonly plan?: true
  readonly lang?: Language
}

const help = `
Ctrl-C ends it. The page of a running lab shows the topology with packets as they pass, sends requests and explains their paths. Of
a cluster that was attached, and of the plan of a lab, it shows what is wrong, and predicts requests; no packet is sent.
The URL works once, in one browser. The page can do what vethlab can do in the lab, so keep the URL to yourself: other
users of this host can read it while it is in the arguments of a program that opens it.

Examples:
  $ vethlab up nodeport
  $ vethlab view nodeport
  $ vethlab view bundle.tar.gz
  $ vethlab view bundle.tar.gz --html cluster.html`

/** `vethlab view <what>`. */
export function viewCommand(): Command {
  return new Command('view')
    .description('Serves a page about a running lab or an attached cluster on 127.0.0.1, and prints its URL.')
    .argument('<what>', 'name of a running lab; or a file, a folder, an archive, or `-` for standard input')
    .option('-f, --filename <file>', 'more files of an attached cluster (repeatable)', collect)
    .option('--plan', 'show the plan of a lab, even if it is running')
    .addOption(
      new Option(
        '--html <file>',
        'serve nothing, and write one HTML file with what is wrong and the paths of its requests',
      ).conflicts(['port', 'listen', 'readOnly', 'insecureListen']),
    )
    .addOption(languageOption('the file of --html'))
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

async function view(what: string, flags: ViewFlags): Promise<void> {
  if (flags.html !== undefined) return writeReadPage(what, flags, flags.html)
  const { listen: address, port, insecureListen = false, readOnly = false } = flags
  if (!isLoopback(address) && !insecureListen)
    throw new InputError([
      {
        message: `other hosts can reach ${address}, and the connection is not encrypted`,
        hint: 'use --listen 127.0.0.1 with `ssh -L`, or add --insecure-listen',
      },
    ])
  if (flags.plan === true || isAttached(what)) return viewRead(what, flags, { address, port })
  await servePageOf(what, { address, port, readOnly })
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
