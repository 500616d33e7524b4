import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ParticipantState } from '../../../src/view/class/trainerApi.js'
import { vethlab } from '../../kernel/commandLine.js'
import { until } from '../../until.js'
import { launch, noBrowser, openPage, violations, type View } from './browser.js'
import { recordedExercises, serveClass } from './recordedClass.js'
import { recordingOf, serveRecording } from './recordedLab.js'

const names = Array.from({ length: 20 }, (_, index) => `team-${index + 1}`)

t.test('the pages of a class against a recorded class', { skip: noBrowser }, async (t) => {
  const browser = await launch()
  t.teardown(() => browser.close())
  const file = join(t.testdir(), 'nodeport.html')
  t.equal((await vethlab(['run', 'nodeport', '--reporter', 'html', '--output', file])).code, 0)
  const live = await serveRecording(recordingOf(file))
  t.teardown(() => live.close())
  const serve = async (t: Test) => {
    const recorded = await serveClass(names.map(participant), 'every-other', live.url)
    t.teardown(() => recorded.close())
    const open = (role: 'participant' | 'trainer', view?: View) =>
      openPage(t, browser, recorded.url(role), view)
    return { recorded, open }
  }

  await t.test('a participant runs a command of the task by keyboard, checks, and gets a hint', async (t) => {
    const { recorded, open } = await serve(t)
    const { page, errors } = await open('participant')
    await page.getByRole('button', { name: 'About half of all requests' }).press('Enter')
    await page.getByRole('button', { name: 'Start the lab' }).press('Enter')
    await page.frameLocator('iframe').locator('.drawing svg').waitFor()
    await page.getByRole('button', { name: /^vethlab exec every-other client/ }).press('Enter')
    t.ok(await until(() => recorded.typed['client']?.endsWith('\r') === true))
    t.equal(recorded.typed['client'], 'curl -m 1 http://172.18.0.2:30080/\r')
    await page.getByRole('button', { name: 'Check', exact: true }).press('Enter')
    await page.getByText('1 of 3 checks passed').waitFor()
    await page.getByRole('button', { name: 'Hint' }).press('Enter')
    await page.getByRole('heading', { name: 'Hint 1 of 3' }).waitFor()
    await page.getByRole('button', { name: 'Reset' }).press('Enter')
    await page.getByRole('dialog').press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    t.notOk(
      recorded.calls.some(([path]) => path.endsWith('/reset')),
      'Escape cancels',
    )
    await page.getByRole('button', { name: '한국어' }).press('Enter')
    await page.getByText('검사 3개 중 1개 통과').waitFor()
    t.equal(await page.getAttribute('html', 'lang'), 'ko')
    t.strictSame(recorded.calls.at(-1), ['/language', { language: 'ko' }])
    recorded.end('the trainer has ended it')
    await page.getByText('수업이 끝났습니다: the trainer has ended it').waitFor()
    t.strictSame(errors, [])
  })

  await t.test(
    'a trainer sees who needs help, sends a message, locks, and ends only when sure',
    async (t) => {
      const { recorded, open } = await serve(t)
      const trainer = await open('trainer')
      const { page } = trainer
      const rows = page.locator('.participants tbody th')
      t.strictSame((await rows.allTextContents()).slice(0, 3), ['team-7', 'team-1', 'team-2'])
      recorded.setClass({
        participants: names.map((name, index) => ({ ...participant(name, index), stuck: undefined })),
      })
      await page.getByText('20 of 20 connected', { exact: true }).waitFor()
      t.equal(await rows.first().textContent(), 'team-1')
      const other = await open('participant')
      await page.locator('textarea').fill('Ten more minutes')
      await page.getByRole('button', { name: 'Send' }).click()
      await other.page.getByText('Ten more minutes').waitFor()
      await other.page.getByRole('button', { name: 'Mark as read' }).click()
      await other.page.getByText('Ten more minutes').waitFor({ state: 'detached' })
      await page.getByRole('switch').first().click()
      t.ok(await until(() => recorded.calls.some(([path]) => path === '/locks')))
      await page.getByRole('button', { name: 'End the class' }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      t.notOk(recorded.calls.some(([path]) => path === '/end'))
      await page.getByRole('link', { name: 'Big screen' }).click()
      await page.locator('.big-screen .announcement').getByText('Ten more minutes').waitFor()
      t.equal(await page.locator('.big-screen tbody tr').count(), 20)
      t.strictSame([...trainer.errors, ...other.errors], [])
    },
  )

  await t.test('a trainer adds participants, and withdraws links only when sure', async (t) => {
    const { recorded, open } = await serve(t)
    const { page, errors } = await open('trainer')
    await page.getByRole('textbox', { name: 'Names' }).fill('grace, linus')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const made = page.locator('.banner.links')
    await made.getByText('http://class.example/?token=linus').waitFor()
    t.strictSame(recorded.calls.at(-1), ['/participants', { names: ['grace', 'linus'] }])
    t.equal(await page.getByRole('textbox', { name: 'Names' }).inputValue(), '')
    await made.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Message: team-7' }).click()
    await page.getByRole('button', { name: 'New link' }).click()
    await made.getByText('http://class.example/?token=team-7').waitFor()
    await page.getByRole('button', { name: 'Withdraw links' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    t.strictSame(recorded.calls.at(-1), ['/participants/team-7/link', {}])
    await page.getByRole('button', { name: 'Withdraw links' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw links' }).click()
    await made.waitFor({ state: 'detached' })
    t.ok(await until(() => recorded.calls.at(-1)?.[0] === '/participants/team-7/withdraw'))
    t.strictSame(errors, [])
  })

  await t.test('all participants are on paper, without what is pressed', async (t) => {
    const { open } = await serve(t)
    const { page } = await open('trainer', { width: 800 })
    await page.emulateMedia({ media: 'print' })
    const table = page.locator('.participants')
    const cut = await page.evaluate("getComputedStyle(document.querySelector('.participants')).overflowY")
    t.equal(cut, 'visible', 'a table that scrolls loses rows on paper')
    t.equal(await table.getByText('team-20').isVisible(), true)
    for (const button of await page.getByRole('button').all()) t.equal(await button.isVisible(), false)
  })

  await t.test('no violation of accessibility', async (t) => {
    const { open } = await serve(t)
    const { page } = await open('participant', { reducedMotion: 'reduce' })
    t.strictSame(await violations(page), [], 'list')
    await page.getByRole('button', { name: 'About half of all requests' }).click()
    await page.getByRole('button', { name: 'Start the lab' }).click()
    await page.getByRole('button', { name: /^vethlab exec/ }).click()
    await page.locator('.xterm-rows').waitFor()
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.locator('.check-report').waitFor()
    t.strictSame(await violations(page), [], 'exercise')
    const trainer = await open('trainer')
    t.strictSame(await violations(trainer.page), [], 'trainer')
    await trainer.page.getByRole('link', { name: 'Big screen' }).click()
    await trainer.page.locator('.big-screen').waitFor()
    t.strictSame(await violations(trainer.page), [], 'big screen')
  })

  await t.test('a narrow screen shows everything without scrolling sideways', async (t) => {
    const { open } = await serve(t)
    const { page } = await open('participant', { width: 390 })
    await page.getByRole('button', { name: 'About half of all requests' }).click()
    await page.getByRole('button', { name: 'Start the lab' }).click()
    await page.frameLocator('iframe').locator('.drawing svg').waitFor()
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    const trainer = await open('trainer', { width: 390 })
    t.equal(await trainer.page.evaluate('document.documentElement.scrollWidth'), 390)
    t.equal(
      await trainer.page.evaluate('document.querySelector(".participants").scrollWidth <= 390'),
      true,
      'a participant is a card',
    )
  })

  await t.test(
    'the terminal stays on the screen, and a smaller window does not scroll sideways',
    async (t) => {
      const { recorded, open } = await serve(t)
      const { page } = await open('participant')
      await page.getByRole('button', { name: 'About half of all requests' }).click()
      await page.getByRole('button', { name: 'Start the lab' }).click()
      await page.getByRole('button', { name: /^vethlab exec/ }).click()
      await page.locator('.xterm-rows').waitFor()
      // a long task
      recorded.setView({ solution: Array.from({ length: 60 }, (_, index) => `ip route add ${index}`) })
      await page.getByText('ip route add 59').waitFor()
      await page.setViewportSize({ width: 1024, height: 768 })
      const { y = 768 } = (await page.locator('.terminals').boundingBox()) ?? {}
      t.ok(y < 600, `the terminals begin at ${y}`)
      for (const width of [1024, 920, 600, 390]) {
        await page.setViewportSize({ width, height: 768 })
        t.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
      }
    },
  )

  await t.test('one exercise is marked to begin with, and what failed is below the buttons', async (t) => {
    const { recorded, open } = await serve(t)
    const exercises = recordedExercises().toReversed()
    recorded.setMe({ exercises })
    const { page } = await open('participant')
    await page.getByText('In this order').waitFor()
    t.equal(await page.locator('nav').getByText('Start here').count(), 1, 'however they are ordered')
    recorded.setMe({ exercises: recordedExercises() })
    await page.getByText('Level 1: API objects').waitFor()
    await page.getByRole('button', { name: 'About half of all requests' }).click()
    await page.getByRole('button', { name: 'Start the lab' }).click()
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.locator('.check-report').waitFor()
    await page.route('**/hint', (route) => route.fulfill({ status: 409, json: { message: 'no hint today' } }))
    await page.getByRole('button', { name: 'Hint' }).click()
    const problem = await page.getByText('no hint today').boundingBox()
    const report = await page.locator('.check-report').boundingBox()
    t.ok((problem?.y ?? Infinity) < (report?.y ?? 0), 'above what the check found')
  })
})

/** Each works on an exercise; the seventh is stuck. */
function participant(name: string, index: number): ParticipantState {
  const exercises = recordedExercises()
  const exercise = exercises[index % exercises.length]?.name ?? ''
  return {
    ...{ name, devices: 1, exercise, exerciseStartedAt: Date.now(), running: true, solved: index % 4 },
    states: { [exercise]: 'started' },
    ...{ checks: { passed: index % 4, failed: index % 3 }, hints: index % 2, solutions: 0 },
    ...{ lastActivity: Date.now(), stuck: index === 6 ? 'failing' : undefined, assisted: false },
  }
}
