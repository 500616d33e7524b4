import { spawnSync } from 'node:child_process'
import { basename } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { vethlab } from './servedCommands.js'

t.test('a lab whose process is stopped is listed, and can be removed', { skip: cannotRun }, async (t) => {
  const path = copyOfLab(t, 'nodeport')
  const name = basename(path)
  t.teardown(() => vethlab(['down', name]))
  t.equal((await vethlab(['up', path])).code, 0)
  const find = async () =>
    (
      JSON.parse((await vethlab(['ps', '--json'])).stdout) as {
        lab: string
        holder: number
        error?: string
      }[]
    ).find(({ lab }) => lab === name)
  const { holder = 0, error } = (await find()) ?? {}
  t.equal(error, undefined)
  process.kill(holder, 'SIGSTOP')
  t.teardown(() => spawnSync('kill', ['-CONT', String(holder)]))

  const ps = await vethlab(['ps'])
  t.equal(ps.code, 0)
  t.match(ps.stdout, new RegExp(`${name} .*does not answer \\(pid ${holder}\\)`))
  t.match(ps.stderr, `kill -CONT ${holder}`)
  const stopped = await find()
  t.equal(stopped?.holder, holder)
  t.match(stopped?.error, `does not answer (pid ${holder})`)
  t.equal((await vethlab(['down', name])).code, 0)
  t.equal(await find(), undefined)
})
