// `npm run test:vm [-- command…]`: runs a vethlab command, `run nodeport` unless told, in a virtual machine with Debian's
// kernel for clouds; what it prints is printed here, and its exit code is ours. With `--script` it is a shell script of
// one's own, in the folder where the project is. See docs/vm.md.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { boot, guestCommand } from './vm/boot.js'
import { NotHere, requireVmTools } from './vm/tools.js'
import { vmImage } from './vm/image.js'

const usage =
  'Usage: npm run test:vm -- [--release NAME] [--timeout SECONDS] [--out FOLDER] [--script FILE | command of vethlab…]'

try {
  const { options, script } = read(process.argv.slice(2))
  requireVmTools()
  const image = await vmImage(options.release, (line) => process.stderr.write(`test:vm: ${line}\n`))
  process.exitCode = await boot(image, script, {
    timeoutMs: options.timeout * 1000,
    out: options.out,
    tell: (line) => process.stderr.write(`test:vm: ${line}\n`),
  })
} catch (error) {
  if (!(error instanceof NotHere)) throw error
  process.stderr.write(`test:vm: ${error.message}\n`)
  process.exitCode = 3
}

/** Options of ours come first; the rest is the command. */
function read(args: readonly string[]) {
  const first = args.findIndex((arg, index) => !arg.startsWith('--') && !isValue(args[index - 1]))
  const own = first < 0 ? args : args.slice(0, first)
  try {
    const { values } = parseArgs({
      args: [...own],
      options: {
        release: { type: 'string', default: 'trixie' },
        timeout: { type: 'string', default: '600' },
        out: { type: 'string' },
        script: { type: 'string' },
      },
    })
    const timeout = Number(values.timeout)
    if (!(timeout > 0)) throw new Error(`--timeout ${values.timeout} is no number of seconds`)
    if (!/^[a-z]+$/.test(values.release))
      throw new Error(`--release ${values.release} is no release of Debian`)
    if (values.script !== undefined && first >= 0) throw new Error('--script stands for the command')
    const command = first < 0 ? ['run', 'nodeport'] : args.slice(first)
    const script = values.script === undefined ? guestCommand(command) : readFileSync(values.script, 'utf8')
    return { options: { release: values.release, timeout, out: values.out }, script }
  } catch (error) {
    process.stderr.write(`test:vm: ${error instanceof Error ? error.message : String(error)}\n${usage}\n`)
    return process.exit(2)
  }
}

function isValue(before: string | undefined): boolean {
  return ['--release', '--timeout', '--out', '--script'].includes(before ?? '')
}
