import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { controlGroups } from '../../src/host/groups/controlGroups.js'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import type { CheckResult, ExerciseView } from '../../src/view/class/api.js'
import { cannotRun } from './ability.js'
import { ownState, serve, type Person } from './servedClass.js'

const exercise = loadExercise('nobody-home')
const path = `/exercises/${exercise.name}`
// small numbers, so that the host is safe where a limit fails
const limits = { memory: 300 * 2 ** 20, tasks: 150 }
const groups = controlGroups(limits, `limits ${process.pid}`)
const skip = cannotRun || (typeof groups === 'string' && `no control groups here: ${groups}`)

/** Types into a new terminal of the client, and returns what it shows up to a text, or to its end. */
async function typed(person: Person, script: string, until: RegExp): Promise<string> {
  const opened = await person.call('POST', '/lab/api/v1/terminals', {
    place: 'client',
    rows: 24,
    columns: 120,
  })
  const { id } = (await opened.json()) as { id: string }
  const output = await person.call('GET', `/lab/api/v1/terminals/${id}/output`)
  await person.call('POST', `/lab/api/v1/terminals/${id}/input`, { text: `${script}\r` })
  let shown = ''
  for await (const part of output.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    shown += part
    if (until.test(shown)) break
  }
  return shown
}

/** The folders of a participant's group: one in each hierarchy of version 1 that the host has, or one of version 2. */
function groupsOf(name: string): string[] {
  const folders = ['memory', 'pids', 'cpu', ''].map((controller) => join('/sys/fs/cgroup', controller))
  return folders
    .filter((folder) => existsSync(join(folder, 'cgroup.procs')))
    .map((folder) => join(folder, 'vethlab-class'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((group) => group.endsWith(`-${name}`))
        .map((group) => join(folder, group)),
    )
}

t.test('a fork bomb and a memory hog of one participant do not affect another', { skip }, async (t) => {
  if (typeof groups === 'string') return
  const [ada = '', bob = ''] = ownState(t, ['ada', 'bob'])
  const served = await serve(t, [ada, bob], [exercise], undefined, groups)
  const [one, other] = [await served.person(ada), await served.person(bob)]
  await one.post<ExerciseView>(`${path}/start`)
  await other.post<ExerciseView>(`${path}/start`)

  for (const folder of groupsOf(ada)) t.not(readFileSync(join(folder, 'cgroup.procs'), 'utf8'), '', folder)
  t.ok(groupsOf(ada).length > 0)

  t.comment('memory: a program that keeps what it reads')
  const hog = await typed(one, 'tail /dev/zero; echo "ended: $?"', /ended: \d+/)
  t.match(hog, /ended: 137/, 'the kernel ends it')
  t.match(await typed(other, 'echo still here', /^still here/m), /still here/)

  t.comment('processes: each one starts two more')
  const bomb = await typed(
    one,
    'f() { f | f & }; f; sleep 60',
    /[Cc]annot fork|Resource temporarily unavailable/,
  )
  t.match(bomb, /fork|unavailable/, 'the limit is reached')
  t.match(
    await typed(other, 'for i in 1 2 3 4 5 6 7 8; do sleep 0 & done; wait; echo all ran', /^all ran/m),
    /all ran/,
  )
  t.match(await other.post<CheckResult>(`${path}/check`), { solved: false, all: exercise.checks.length })

  await served.end()
  t.strictSame([...groupsOf(ada), ...groupsOf(bob)], [], 'the groups are gone with the class')
})

t.test('a group that was removed is made again, and no other class has it', { skip }, async (t) => {
  const name = `carol-${process.pid}`
  const [one, other] = ['one', 'other'].map((of) => controlGroups(limits, `${of} ${process.pid}`))
  if (one === undefined || typeof one === 'string' || other === undefined || typeof other === 'string') return
  t.teardown(async () => Promise.all([one.remove(), other.remove()]))
  const [first, second] = [one.command(name, ['true']), other.command(name, ['true'])]
  t.not(first[2], second[2], 'the same name in two classes')
  t.equal(spawnSync(first[0] ?? '', first.slice(1)).status, 0)
  for (const folder of groupsOf(name)) rmdirSync(folder)
  t.not(spawnSync(first[0] ?? '', first.slice(1)).status, 0, 'there is no group to enter')
  const again = one.command(name, ['true'])
  t.equal(spawnSync(again[0] ?? '', again.slice(1)).status, 0)
  await other.remove()
  const last = one.command(name, ['true'])
  t.equal(spawnSync(last[0] ?? '', last.slice(1)).status, 0, 'the end of another class changes nothing')
})
