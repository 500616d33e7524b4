// `npm run soak -- class [participants] [exercises]`, called by soak.ts: plays a class (test/full/pages/classCourse.test.ts) with 20
// participants, who solve the 10 exercises of the path two-hours at once. Prints the memory and the longest answer.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from './bench/workspace.js'

/** Plays the class; returns the exit code: 0 when all have solved all, 2 for invalid arguments. */
export async function soakClass(args: readonly string[]): Promise<number> {
  const [participants = '20', exercises = '10', ...more] = args
  if (more.length > 0 || !/^([2-9]|[1-9]\d)$/.test(participants) || !/^([1-9]|10)$/.test(exercises)) {
    process.stderr.write('Usage: npm run soak -- class [participants: 2 to 99] [exercises: 1 to 10]\n')
    return 2
  }
  const argv = [join(root, 'scripts/test.mjs'), '--full', '--reporter=tap', 'full/pages/classCourse']
  const env = { ...process.env, VETHLAB_CLASS: `${participants}x${exercises}` }
  const [code] = (await once(
    spawn(process.execPath, argv, { cwd: root, env, stdio: 'inherit' }),
    'close',
  )) as [number | null]
  return code ?? 1
}
