import t from 'tap'
import { findHolders } from '../../src/host/holders.js'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import { classRoutes, type ClassRoute, type ExerciseView, type Me } from '../../src/view/class/api.js'
import type { ClassState } from '../../src/view/class/trainerApi.js'
import { trainer } from '../../src/workshop/class/newClass.js'
import { cannotRun } from './ability.js'
import { ownState, personWith, serve } from './servedClass.js'
import { until } from '../until.js'

const exercise = loadExercise('nobody-home')
const exercises = [exercise]

/** A path of a route, with names in it. */
function pathOf(route: ClassRoute, name: string): readonly [string, string] {
  const [method = '', path = ''] = route.split(' ')
  const filled = path.replace('{exercise}', exercise.name).replace('{name}', name).replace('{quiz}', 'none')
  return [method, `/api/v1${filled}`]
}

t.test('every route needs the role that its table names', async (t) => {
  const [ada = '', bob = ''] = ownState(t, ['ada', 'bob'])
  const { person, origin } = await serve(t, [ada, bob], exercises)
  const nobody = personWith(origin, '')
  const guess = personWith(origin, `vethlab-view-${new URL(origin).port}=guess`)
  const [participant, boss] = [await person(ada), await person(trainer)]
  const labPaths = ['/', '/api/v1/lab', '/api/v1/events', '/api/v1/kubernetes/api/v1/pods']
  for (const route of Object.keys(classRoutes) as ClassRoute[]) {
    const [method, path] = pathOf(route, bob)
    for (const one of [nobody, guess])
      t.equal((await one.call(method, path)).status, 401, `${route}: no session`)
    const role = classRoutes[route]
    const wrong = role === 'participant' ? boss : participant
    if (role !== 'any') t.equal((await wrong.call(method, path)).status, 403, `${route}: ${role} only`)
  }
  for (const path of labPaths) {
    t.equal((await nobody.call('GET', `/lab${path}`)).status, 401)
    t.equal((await nobody.call('GET', `/participants/${bob}/lab${path}`)).status, 401)
    t.equal(
      (await participant.call('GET', `/participants/${bob}/lab${path}`)).status,
      403,
      'another participant',
    )
    t.equal(
      (await participant.call('GET', `/participants/${ada}/lab${path}`)).status,
      403,
      'the trainer’s path',
    )
    t.equal((await boss.call('GET', `/lab${path}`)).status, 403, 'the trainer has no lab')
    t.equal((await participant.call('GET', `/lab${path}`)).status, 404, 'no lab runs')
  }
  t.equal((await boss.call('GET', `/participants/nobody/lab/`)).status, 404)
  for (const name of ['../secret', 'none'])
    t.equal((await participant.call('GET', `/api/v1/exercises/${encodeURIComponent(name)}`)).status, 404)
  t.equal((await participant.get<Me>('/me')).name, ada)
  t.equal((await boss.get<Me>('/me')).role, 'trainer')
})

t.test('sessions survive a restart of the server, and no secret is kept', async (t) => {
  const [ada = '', bob = ''] = ownState(t, ['ada', 'bob'])
  const served = await serve(t, [ada, bob], exercises)
  const [one, boss] = [await served.person(ada), await served.person(trainer)]
  await served.end()
  const kept = served.store.read()?.sessions ?? []
  t.strictSame(kept.map(({ who }) => who).toSorted(), [trainer, ada].toSorted())
  const again = await serve(t, [ada, bob], exercises, served.store)
  /** The same browser, at the port of the server that was started again. */
  const back = ({ cookie }: { readonly cookie: string }) => {
    const secret = cookie.split('=')[1] ?? ''
    t.notMatch(JSON.stringify(kept), secret)
    return personWith(again.origin, `vethlab-view-${new URL(again.origin).port}=${secret}`)
  }
  t.match(await back(one).get<Me>('/me'), { role: 'participant', name: ada })
  t.match(await back(boss).get<Me>('/me'), { role: 'trainer' })
})

t.test('participants solve an exercise in labs of their own', { skip: cannotRun }, async (t) => {
  const [ada = '', bob = ''] = ownState(t, ['ada', 'bob'])
  const served = await serve(t, [ada, bob], exercises)
  const [one, other, boss] = await Promise.all([ada, bob, trainer].map((name) => served.person(name)))
  if (one === undefined || other === undefined || boss === undefined) throw new Error('nobody came')
  const path = `/exercises/${exercise.name}`
  const [view] = await Promise.all([
    one.post<ExerciseView>(`${path}/start`),
    other.post<ExerciseView>(`${path}/start`),
  ])
  t.match(view, { running: true, state: 'started', hints: { shown: 0, all: 3 } })
  t.notOk('solution' in view)
  t.equal(findHolders(ada).length, 1)
  t.equal(findHolders(bob).length, 1)
  t.match(await one.post(`${path}/check`), { solved: false })
  const hinted = await one.post<ExerciseView>(`${path}/hint`)
  t.equal(hinted.texts.en.hints.length, 1)

  t.comment('the live view of the own lab, which the trainer reads')
  const frame = await one.call('GET', '/lab/')
  t.equal(frame.headers.get('x-frame-options'), 'SAMEORIGIN')
  t.match(frame.headers.get('content-security-policy'), /frame-ancestors 'self'/)
  const lab = await one.call('GET', '/lab/api/v1/lab')
  const titles = { en: exercise.texts.en.title, ko: exercise.texts.ko?.title }
  t.match(await lab.json(), { lab: exercise.name, readOnly: false, title: titles.en, titles })
  const below = `/participants/${ada}/lab/api/v1`
  t.match(await (await boss.call('GET', `${below}/lab`)).json(), { readOnly: true })
  const place = { place: 'client', rows: 24, columns: 80 }
  t.equal((await boss.call('POST', `${below}/terminals`, place)).status, 403, 'no terminal for a reader')
  const service = `${below}/kubernetes/api/v1/namespaces/default/services/shop`
  t.equal((await boss.call('DELETE', service)).status, 403, 'no changes by a reader')

  t.comment('a terminal is inside, and is no other page’s')
  const opened = (await (await one.call('POST', '/lab/api/v1/terminals', place)).json()) as { id: string }
  await boss.post(`/participants/${ada}/assist`, { on: true })
  t.equal((await one.get<Me>('/me')).assisted, true, 'the participant sees it')
  t.equal((await boss.call('POST', `${below}/terminals/${opened.id}/input`, { text: 'x' })).status, 404)
  t.equal((await other.call('POST', `/lab/api/v1/terminals/${opened.id}/input`, { text: 'x' })).status, 404)
  t.equal((await boss.call('POST', `${below}/terminals`, place)).status, 200, 'an assistant opens one')
  await boss.post(`/participants/${ada}/assist`, { on: false })
  t.equal((await boss.call('POST', `${below}/terminals`, place)).status, 403)
  const output = await one.call('GET', `/lab/api/v1/terminals/${opened.id}/output`)
  const script =
    'echo $(cat /proc/1/comm) $(ls /proc/*/cmdline | wc -l) $(cat /proc/[0-9]*/cmdline | grep -c "[h]old ")\\n'
  t.equal((await one.call('POST', `/lab/api/v1/terminals/${opened.id}/input`, { text: script })).status, 200)
  await output.body?.cancel()

  t.comment('locks, messages, faults')
  await boss.post('/locks', { exercise: exercise.name, open: false })
  t.equal((await one.call('POST', `/api/v1${path}/check`, {})).status, 403)
  await boss.post('/locks', { open: true })
  await boss.post('/messages', { text: 'only you', to: ada })
  t.equal((await one.get<Me>('/me')).messages.length, 1)
  t.equal((await other.get<Me>('/me')).messages.length, 0)
  const state = await boss.get<ClassState>('/class')
  t.match(state.participants[0], { name: ada, exercise: exercise.name, running: true, hints: 1 })
  t.match(state.participants[0]?.checks, { passed: 0, failed: 1 })
  const [failed] = state.participants[0]?.lastCheck?.failed ?? []
  t.equal(failed?.says.en, exercise.texts.en.checks[failed?.name ?? ''], 'what is still wrong')

  t.comment('a checkpoint')
  t.equal((await one.call('POST', `/api/v1${path}/restore`, {})).status, 400, 'none yet')
  t.ok((await one.post<ExerciseView>(`${path}/save`)).checkpointAt)
  t.match(await one.post<ExerciseView>(`${path}/restore`), { running: true })
  t.equal((await other.call('POST', `/api/v1${path}/restore`, {})).status, 400, 'of one participant only')

  t.comment('restart of the server: labs and progress are found again')
  const solved = await one.post<ExerciseView>(`${path}/solution`)
  t.ok((solved.solution?.length ?? 0) > 0)
  await one.post(`${path}/reset`)
  t.equal(findHolders(ada).length, 1)
  const results = await served.end()
  t.match(results.participants[0]?.exercises[0], { exercise: exercise.name, hints: 1, sawSolution: true })
  t.ok(await until(() => findHolders(ada).length + findHolders(bob).length === 0), 'the labs are removed')
  const again = await serve(t, [ada, bob], exercises, served.store)
  const back = await again.person(ada)
  t.match(await back.get<ExerciseView>(path), { state: 'started', running: false, hints: { shown: 1 } })
})
