import t from 'tap'
import { findHolders } from '../../src/host/holders.js'
import { tokenHash } from '../../src/host/view/sessions.js'
import { loadExercise } from '../../src/lab/workshop/loadExercise.js'
import type { CheckResult, ExerciseView, Me, QuizResult } from '../../src/view/class/api.js'
import type { ClassState, FaultReport, NewLinks } from '../../src/view/class/trainerApi.js'
import { trainer } from '../../src/workshop/class/newClass.js'
import { cannotRun } from './ability.js'
import { ownState, personWith, serve } from './servedClass.js'
import { vethlab } from './servedCommands.js'

const exercise = loadExercise('unexpected-sender')
const withoutFaults = loadExercise('nobody-home')
const path = `/exercises/${exercise.name}`

t.test('questions, faults, a further link, and the end of the class', { skip: cannotRun }, async (t) => {
  const [ada = '', bob = ''] = ownState(t, ['ada', 'bob'])
  const served = await serve(t, [ada, bob], [exercise, withoutFaults])
  const [one, boss] = [await served.person(ada), await served.person(trainer)]

  t.comment('questions')
  t.ok(
    (await one.call('POST', `/api/v1${path}/quizzes/next-chain`, { answer: 0 })).status >= 400,
    'not started',
  )
  const { quizzes } = await one.post<ExerciseView>(`${path}/start`)
  const [quiz] = quizzes
  if (quiz === undefined) throw new Error('the exercise has no question')
  const answers: QuizResult[] = []
  for (const answer of quiz.options.keys())
    answers.push(await one.post<QuizResult>(`${path}/quizzes/${quiz.name}`, { answer }))
  t.equal(answers.filter(({ right }) => right).length, 1)
  for (const { right, because } of answers)
    t.equal(because !== undefined, right, 'a wrong answer reveals nothing')
  const tooLarge = { answer: quiz.options.length }
  t.equal((await one.call('POST', `/api/v1${path}/quizzes/${quiz.name}`, tooLarge)).status, 400)
  t.equal((await one.call('POST', `/api/v1${path}/quizzes/none`, { answer: 0 })).status, 404)

  t.comment('a fault breaks a lab that was repaired')
  const [, ...command] = exercise.solution[0]?.split(' ') ?? []
  t.match(await vethlab(command, { env: { VETHLAB_AS: ada } }), { code: 0 })
  t.match(await one.post<CheckResult>(`${path}/check`), { solved: true })
  const report = await boss.post<FaultReport>('/faults', { exercise: exercise.name })
  t.strictSame(report.participants, [{ name: ada, ok: true }], 'in labs that run')
  t.match(await one.post<CheckResult>(`${path}/check`), { solved: false })
  const wrong = { exercise: exercise.name, fault: 'none' }
  t.equal((await boss.call('POST', '/api/v1/faults', wrong)).status, 404)
  const inObjects = { exercise: withoutFaults.name }
  t.equal((await boss.call('POST', '/api/v1/faults', inObjects)).status, 400)

  t.comment('a further link')
  const [{ url } = { url: '' }] = (await boss.post<NewLinks>(`/participants/${ada}/link`)).links
  const opened = await fetch(url)
  const device = personWith(served.origin, opened.headers.getSetCookie()[0]?.split(';')[0] ?? '')
  t.match(await device.get('/me'), { role: 'participant', name: ada })
  t.match(await one.get('/me'), { name: ada }, 'the other device stays')

  t.comment('the end')
  t.equal((await boss.post<ClassState>('/end')).ended, true)
  const results = await served.ended
  t.ok(results.endedAt)
  t.match(results.participants[0]?.exercises[0], {
    checks: { passed: 1, failed: 1 },
    quizzes: { answered: 1 },
  })
  t.strictSame(findHolders(ada), [], 'the lab is removed')
  t.ok(served.store.read()?.endedAt, 'the end is kept')
  const late = await vethlab(['workshop', 'serve', '--port', '0'])
  t.match(late, { code: 2, stderr: /the class "A class" has ended/ })
})

t.test('participants join later, and links are withdrawn', async (t) => {
  const [ada = '', bob = '', eve = ''] = ownState(t, ['ada', 'bob', 'eve'])
  const served = await serve(t, [ada], [exercise])
  const [one, boss] = [await served.person(ada), await served.person(trainer)]
  const open = async (url: string) => {
    const opened = await fetch(url)
    return personWith(served.origin, opened.headers.getSetCookie()[0]?.split(';')[0] ?? '')
  }

  t.comment('wrong names add no participant')
  for (const names of [[], [ada], [bob, bob], ['trainer'], [bob, 'Eve!'], [bob, 5], Array(101).fill(bob)])
    t.equal(
      (await boss.call('POST', '/api/v1/participants', { names })).status,
      400,
      `refused: ${names.join(' ').slice(0, 40)}`,
    )
  t.equal((await boss.get<ClassState>('/class')).participants.length, 1)

  t.comment('two join')
  const { links } = await boss.post<NewLinks>('/participants', { names: [bob, eve] })
  t.strictSame(
    links.map(({ name }) => name),
    [bob, eve],
  )
  const [bobs, eves] = [await open(links[0]?.url ?? ''), await open(links[1]?.url ?? '')]
  t.match(await bobs.get<Me>('/me'), { role: 'participant', name: bob })
  t.match(await eves.get<Me>('/me'), { role: 'participant', name: eve })
  t.strictSame(
    (await boss.get<ClassState>('/class')).participants.map(({ name }) => name),
    [ada, bob, eve],
  )

  t.comment('the links of one are withdrawn')
  const events = await bobs.call('GET', '/api/v1/events')
  const state = await boss.post<ClassState>(`/participants/${bob}/withdraw`)
  t.equal(state.participants.length, 3, 'the participant stays in the class')
  t.match(await events.text(), /^event: me$/m, 'the stream of events ends')
  t.equal((await bobs.call('GET', '/api/v1/me')).status, 401, 'the session has ended')
  t.equal((await fetch(links[0]?.url ?? '')).status, 403, 'the link is not valid any more')
  t.match(await eves.get<Me>('/me'), { name: eve }, 'others stay')
  t.match(await one.get<Me>('/me'), { name: ada })
  const [{ url } = { url: '' }] = (await boss.post<NewLinks>(`/participants/${bob}/link`)).links
  t.match(await (await open(url)).get<Me>('/me'), { name: bob }, 'a new link works')

  t.comment('all this is kept')
  await served.end()
  const kept = served.store.read()
  t.strictSame(
    kept?.participants.map(({ name, links }) => [name, links.length]),
    [
      [ada, 1],
      [bob, 1],
      [eve, 1],
    ],
  )
  t.notOk(kept?.sessions?.some(({ hash }) => hash === tokenHash(bobs.cookie.split('=')[1] ?? '')))
})
