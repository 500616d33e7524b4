import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import { requireLimits } from '../../src/host/doctor/requireLimits.js'
import { cannotRun } from './ability.js'

t.setTimeout(240_000)

/** Runs the command line in a shell that breaks something first. */
function inShell(script: string) {
  const words = ['-c', script, process.execPath, resolve('dist/cli.cjs')]
  const { status, stdout, stderr } = spawnSync('sh', words, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

t.test('a working directory that is gone', (t) => {
  for (const command of ['list', 'run nodeport', 'up nodeport', 'doctor', 'workshop list']) {
    const folder = mkdtempSync(join(tmpdir(), 'vethlab-gone-'))
    const { status, stderr } = inShell(`cd ${folder} && rmdir ${folder} && "$0" "$1" ${command}`)
    t.equal(status, 3, command)
    t.equal(stderr, 'the working directory no longer exists\n  try: cd /\n')
  }
  t.end()
})

t.test('too few file descriptors', { skip: cannotRun }, (t) => {
  for (const most of [24, 32, 64]) {
    const { status, stderr } = inShell(`ulimit -n ${most}; "$0" "$1" run nodeport`)
    t.equal(status, 3, stderr)
    t.match(stderr, `this process may open only ${most} files, and a lab needs 256\n  try: ulimit -n 4096`)
  }
  t.doesNotThrow(() => requireLimits('Max open files            1024                 4096\n'))
  t.doesNotThrow(() => requireLimits('Max open files            unlimited            unlimited\n'))
  t.end()
})

t.test('limits with which tools fail', { skip: cannotRun }, (t) => {
  const tries = [
    ['--fsize=0', 'write files of only 0 KiB, and a lab needs 16384\n  try: ulimit -f unlimited'],
    ['--fsize=4096', 'write files of only 4 KiB'],
    ['--nproc=20', 'run only 20 processes, and a lab needs 100\n  try: ulimit -u 4096'],
    ['--stack=163840', 'use a stack of only 160 KiB, and a lab needs 256\n  try: ulimit -s 8192'],
  ] as const
  for (const [limit, message] of tries) {
    const { status, stderr } = inShell(`exec prlimit ${limit} "$0" "$1" run nodeport`)
    t.equal(status, 3, `${limit}: ${stderr}`)
    t.match(stderr, message)
  }
  t.doesNotThrow(() => requireLimits(readFileSync('/proc/self/limits', 'utf8')))
  t.end()
})

t.test('outputs that cannot be written', (t) => {
  t.equal(inShell('"$0" "$1" run nope 2>/dev/full').status, 2, 'the code says what the text cannot')
  const { status, stderr } = inShell('"$0" "$1" list >/dev/full')
  t.equal(status, 3)
  t.match(stderr, 'cannot write the output: ENOSPC')
  t.equal(inShell('"$0" "$1" list >&- 2>&-').status, 0)
  t.end()
})
