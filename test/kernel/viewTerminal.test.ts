import { readFileSync } from 'node:fs'
import t from 'tap'
import { allPids } from '../../src/host/sandbox/processTree.js'
import type { OpenedTerminal } from '../../src/view/live/api.js'
import { until } from '../until.js'
import { cannotRun } from './ability.js'
import { browse, viewLab, type Browser } from './viewLab.js'

const size = { rows: 24, columns: 80 }

/** A terminal that is read. */
interface Shown {
  readonly path: string
  /** Resolves when it has printed a text that matches; false after a minute. */
  shows(text: RegExp): Promise<boolean>
  type(text: string): Promise<Response>
  /** Whether the shell ended it. */
  readonly ended: Promise<boolean>
  disconnect(): void
}

async function open(browser: Browser, place: string): Promise<Shown> {
  const { id } = (await (await browser.call('/terminals', { place, ...size })).json()) as OpenedTerminal
  return read(browser, `/terminals/${id}`)
}

function read(browser: Browser, path: string): Shown {
  const gone = new AbortController()
  let printed = ''
  const readAll = async () => {
    const { body } = await browser.call(`${path}/output`, undefined, { signal: gone.signal })
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) printed += text
  }
  const ended = readAll().then(
    () => true,
    () => false,
  )
  return {
    ...{ path, ended },
    shows: (text) => until(() => text.test(printed)),
    type: (text) => browser.call(`${path}/input`, { text }),
    disconnect: () => gone.abort(),
  }
}

/** Pids of the programs with these arguments, on the host. */
function pidsOf(...argv: readonly string[]): number[] {
  const wanted = argv.map((one) => `${one}\0`).join('')
  return allPids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === wanted
    } catch {
      return false
    }
  })
}

t.test('a terminal in a place of a lab', { skip: cannotRun }, async (t) => {
  const { url, server } = await viewLab(t)
  const browser = await browse(url)
  let sleeps = 80_000 + (process.pid % 1000)

  await t.test('a shell runs in the place, on a terminal that can be resized', async (t) => {
    const shown = await open(browser, 'node-a')
    await shown.type('stty size; ip -o -4 addr show eth0; echo "user $(id -u)"\n')
    t.ok(await shown.shows(/^24 80\r$/m))
    t.ok(await shown.shows(/inet 172\.18\.0\.2\/16/))
    t.ok(await shown.shows(/^user 0\r$/m))
    t.equal((await browser.call(`${shown.path}/size`, { rows: 40, columns: 132 })).status, 200)
    await shown.type('stty size\n')
    t.ok(await shown.shows(/^40 132\r$/m))
    await shown.type('sleep 79999\n')
    t.ok(await until(() => pidsOf('sleep', '79999').length === 1))
    await shown.type('\x03')
    t.ok(await until(() => pidsOf('sleep', '79999').length === 0), 'Ctrl-C')
    await shown.type('exit\n')
    t.equal(await shown.ended, true)
    // what it shows ends a little before its process
    const answers = new Set<number>()
    const isGone = async () => answers.add((await shown.type('x')).status).has(404)
    t.ok(await until(isGone), 'it is forgotten')
    t.strictSame(
      [...answers].filter((status) => ![200, 204, 404].includes(status)),
      [],
    )
  })

  await t.test('what is printed before it is read is kept', async (t) => {
    const opened = await browser.call('/terminals', { place: 'client', ...size })
    const { id } = (await opened.json()) as OpenedTerminal
    await browser.call(`/terminals/${id}/input`, { text: 'echo early; sleep 79998\n' })
    t.ok(await until(() => pidsOf('sleep', '79998').length === 1))
    const shown = read(browser, `/terminals/${id}`)
    t.ok(await shown.shows(/^early\r$/m))
    shown.disconnect()
    await shown.ended
  })

  await t.test('what nobody reads makes the command wait, and the page stays', async (t) => {
    const { id } = (await (await browser.call('/terminals', { place: 'client', ...size })).json()) as {
      id: string
    }
    const gone = new AbortController()
    const unread = await browser.call(`/terminals/${id}/output`, undefined, { signal: gone.signal })
    t.equal(unread.status, 200)
    await browser.call(`/terminals/${id}/input`, { text: 'yes vethlab\n' })
    t.ok(await until(() => pidsOf('yes', 'vethlab').length === 1))
    const [pid = 0] = pidsOf('yes', 'vethlab')
    let written = ''
    let polls = 0
    t.ok(
      await until(() => {
        polls = writtenBy(pid) === written ? polls + 1 : 0
        written = writtenBy(pid)
        return polls === 100
      }),
      'it writes no more',
    )
    t.equal((await browser.call('/lab')).status, 200)
    t.equal((await browser.call(`/terminals/${id}/output`)).status, 409, 'it has one reader')
    gone.abort()
    t.ok(await until(() => pidsOf('yes', 'vethlab').length === 0), 'the end of the connection closes it')
  })

  await t.test('a terminal is closed by its page, and with the connection', async (t) => {
    const ways: readonly ((shown: Shown) => unknown)[] = [
      (shown) => browser.call(shown.path, undefined, { method: 'DELETE' }),
      (shown) => shown.disconnect(),
    ]
    for (const close of ways) {
      const shown = await open(browser, 'node-b')
      const argv = ['sleep', String(++sleeps)]
      await shown.type(`${argv.join(' ')}\n`)
      t.ok(await until(() => pidsOf(...argv).length === 1))
      await close(shown)
      t.ok(await until(() => pidsOf(...argv).length === 0))
      await shown.ended
    }
  })

  await t.test('what cannot be opened', async (t) => {
    const answer = async (path: string, body: unknown) => {
      const { status } = await browser.call(path, body)
      return status
    }
    t.equal(await answer('/terminals', { place: 'nowhere', ...size }), 404)
    t.equal(await answer('/terminals', { place: '__proto__', ...size }), 404)
    t.equal(await answer('/terminals', { place: 'client', rows: 0, columns: 80 }), 400)
    t.equal(await answer('/terminals', { place: 'client', rows: 24, columns: 1001 }), 400)
    t.equal(await answer('/terminals/99/input', { text: 'x' }), 404)
    t.equal((await fetch(new URL('/api/v1/terminals', url), { method: 'POST' })).status, 401)
  })

  await t.test('at most 16 are open, and a server that is killed leaves none', async (t) => {
    const all = await Promise.all(Array.from({ length: 16 }, () => open(browser, 'client')))
    t.equal((await browser.call('/terminals', { place: 'client', ...size })).status, 429)
    const argv = ['sleep', String(++sleeps)]
    await all[0]?.type(`${argv.join(' ')}\n`)
    t.ok(await until(() => pidsOf(...argv).length === 1))
    server.kill('SIGKILL')
    t.ok(await until(() => pidsOf(...argv).length === 0))
  })
})

t.test('a page that is read-only opens no terminals', { skip: cannotRun }, async (t) => {
  const { url } = await viewLab(t, { view: ['--read-only'] })
  const browser = await browse(url)
  const answer = await browser.call('/terminals', { place: 'client', ...size })
  t.equal(answer.status, 403)
  t.match(await answer.text(), /read-only/)
})

/** The bytes that a process has written (proc_pid_io(5)). */
function writtenBy(pid: number): string {
  return /^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? ''
}
