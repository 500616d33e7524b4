import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { vethlab } from './servedCommands.js'

t.test('two processes run a share each, and their reports are merged', { skip: cannotRun }, async (t) => {
  const labs = ['no-endpoints', 'no-endpoints', 'no-endpoints'].map((lab) => copyOfLab(t, lab))
  const folder = t.testdir()
  const files = ['1', '2'].map((share) => join(folder, `${share}.events`))
  const runs = files.map(
    (file, index) =>
      start(['run', ...labs, '--share', `${index + 1}/2`, '--reporter', 'events', '--output', file]).ended,
  )
  t.strictSame(
    (await Promise.all(runs)).map(({ code }) => code),
    [0, 0],
  )
  const out = join(folder, 'results')
  const merge = (...given: readonly string[]) => vethlab(['ci', '--merge', ...given, '--out', out])
  const ran = () => {
    const { ok, labs } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as {
      ok: boolean
      labs: { lab: string; ok: boolean }[]
    }
    return { ok, labs: labs.map(({ lab }) => lab).sort() }
  }
  t.match(await merge(...files), { code: 0 })
  t.strictSame(ran(), { ok: true, labs: labs.map((path) => basename(path)).sort() }, 'each lab once')

  t.comment('a share that was interrupted')
  const [first = '', second = ''] = files
  const lines = readFileSync(first, 'utf8').split('\n')
  writeFileSync(first, lines.slice(0, 4).join('\n') + '\n{"type":"step-')
  t.match(await merge(first, second), { code: 1, stdout: /interrupted/ })
  t.equal(ran().ok, false)
  t.match(readFileSync(join(out, 'junit.xml'), 'utf8'), /interrupted/)

  t.comment('what is no share, and no report')
  writeFileSync(first, 'kubectl: no such pod\n{}\n')
  t.match(await merge(first), { code: 2, stderr: /1\.events:1: this is no event of a lab/ })
  t.match(await vethlab(['ci', '--merge']), { code: 2 })
  for (const share of ['0/2', '3/2', 'x', '1'])
    t.match(await vethlab(['run', '--all', '--share', share]), { code: 2, stderr: /--share/ }, share)
  t.match(await vethlab(['run', ...labs, '--share', '4/4']), { code: 2, stderr: /none for share 4\/4/ })
})
