import { existsSync } from 'node:fs'
import t from 'tap'
import { textWidth } from '../../src/text/textWidth.js'
import { vethlab } from './cli.js'

const skip = existsSync('/usr/bin/script') ? false : 'script (util-linux) is not installed'

/** The lines that a command prints in a terminal with 60 columns, without colours. */
function linesAt60(...args: string[]): string[] {
  const inside = ['sh', '-c', 'exec script -qec "stty cols 60; $*" /dev/null </dev/null', 'sh']
  const { stdout } = vethlab(args, { inside })
  return stdout.replaceAll(/\r/g, '').split('\n')
}

t.test('tables and help fit a terminal with 60 columns, with whole words', { skip }, async (t) => {
  const exercises = linesAt60('workshop', 'list')
  t.ok(exercises.length > 20, exercises.join('\n'))
  t.strictSame(
    exercises.filter((line) => textWidth(line) > 60),
    [],
  )
  t.match(exercises.join('\n'), /every-other +10 min +Through one node, about half\n +of all requests fail\n/)
  const help = linesAt60('run', '--help')
  t.match(
    help.join('\n'),
    /--iptables <backend> +iptables backend \(default: the\n +host's\) \(choices: "nft", "legacy"\)\n/,
  )
})
