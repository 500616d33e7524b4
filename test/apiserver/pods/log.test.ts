import {
  appendFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { previousLog } from '../../../src/topology/planContainers.js'
import { ask, watch } from '../client.js'
import { kubectl, kubectlHome, needsKubectl } from '../kubectlHome.js'
import { pod } from '../objects.js'
import { serve } from '../serve.js'
import { servePods, withToken } from './podServer.js'

const path = '/api/v1/namespaces/lab/pods/web-a/log'

void t.test('the whole log, its last lines, its first bytes', async (t) => {
  const { server, log } = await servePods(t)
  const text = Array.from({ length: 30_000 }, (_, line) => `line ${line}\n`).join('')
  writeFileSync(log, text)
  t.equal((await ask(server, path)).text, text)
  t.equal((await ask(server, `${path}?tailLines=2`)).text, 'line 29998\nline 29999\n')
  t.equal((await ask(server, `${path}?tailLines=0`)).text, '')
  t.equal((await ask(server, `${path}?tailLines=20000`)).text.split('\n')[0], 'line 10000')
  t.equal((await ask(server, `${path}?tailLines=40000`)).text, text)
  t.equal((await ask(server, `${path}?limitBytes=6`)).text, 'line 0')
  writeFileSync(log, 'no line feed')
  t.equal((await ask(server, `${path}?tailLines=1`)).text, 'no line feed')
  const { headers } = await ask(server, path)
  t.equal(headers['content-type'], 'text/plain')
})

void t.test('a log is followed until its pod is deleted', async (t) => {
  const { server, store, log } = await servePods(t)
  writeFileSync(log, 'first\n')
  const open = await watch(server, `${path}?follow=true`)
  await open.count(1)
  appendFileSync(log, 'second\n')
  await open.count(2)
  truncateSync(log)
  appendFileSync(log, 'again\n')
  await open.count(3)
  store.remove('Pod', 'lab', 'web-a')
  t.equal(await open.ended, true)
  t.same(open.lines, ['first', 'second', 'again'])
})

void t.test('a log is followed until its container is restarted, as kubelet follows it', async (t) => {
  const { server, store, log } = await servePods(t)
  writeFileSync(log, 'first run\n')
  const open = await watch(server, `${path}?follow=true`)
  await open.count(1)
  appendFileSync(log, 'its end\n')
  renameSync(log, previousLog(log))
  writeFileSync(log, 'second run\n')
  const containerStatuses = [{ name: 'echo', restartCount: 1, state: { running: {} } }]
  store.apply(Object.assign(pod('web-a', 'node-a'), { status: { phase: 'Running', containerStatuses } }))
  t.equal(await open.ended, true)
  t.same(open.lines, ['first run', 'its end'])
})

void t.test('lines with the time of their write', async (t) => {
  const { server, log, times } = await servePods(t)
  const write = (text: string, time: string) => {
    appendFileSync(log, text)
    utimesSync(log, new Date(time), new Date(time))
  }
  write('one\ntwo\n', '2026-11-23T10:00:00Z')
  times.look(log)
  write('thr', '2026-11-23T10:00:30.25Z')
  times.look(log)
  write('ee\nfour\n', '2026-11-23T10:00:40Z')
  const ofQuery = async (query: string) => (await ask(server, `${path}?${query}`)).text
  t.equal(
    await ofQuery('timestamps=true'),
    [
      '2026-11-23T10:00:00.000000000Z one\n2026-11-23T10:00:00.000000000Z two\n',
      '2026-11-23T10:00:30.250000000Z three\n2026-11-23T10:00:40.000000000Z four\n',
    ].join(''),
    'the time of the first byte',
  )
  t.equal(await ofQuery('sinceSeconds=30'), 'three\nfour\n')
  t.equal(await ofQuery('sinceSeconds=20'), 'four\n', 'a line of that time is not older')
  t.equal(await ofQuery('sinceSeconds=10'), '')
  t.equal(await ofQuery('sinceTime=2026-11-23T12:00:30%2B02:00&tailLines=3'), 'three\nfour\n')
  t.equal(await ofQuery('sinceSeconds=60&tailLines=1'), 'four\n')
  t.equal(await ofQuery('timestamps=true&limitBytes=33'), '2026-11-23T10:00:00.000000000Z on')
  t.equal(await ofQuery('sinceSeconds=20&limitBytes=2'), 'fo', 'what is left out is not counted')
  renameSync(log, previousLog(log))
  writeFileSync(log, 'second run\n')
  times.look(log)
  t.match(
    (await ask(server, path.replace('web-a', 'again') + '?previous=true&timestamps=true')).text,
    /^2026-11-23T10:00:00.000000000Z one\n[^]* four\n$/,
    'those of the run before stay',
  )
})

void t.test('a followed log with times', async (t) => {
  const { server, store, log, times } = await servePods(t)
  const write = (text: string, time: string) => {
    appendFileSync(log, text)
    utimesSync(log, new Date(time), new Date(time))
  }
  write('old\n', '2026-11-23T09:00:00Z')
  times.look(log)
  write('first\n', '2026-11-23T10:00:30Z')
  const open = await watch(server, `${path}?follow=true&timestamps=true&sinceSeconds=600&tailLines=5`)
  await open.count(1)
  appendFileSync(log, 'second\n')
  await open.count(2)
  store.remove('Pod', 'lab', 'web-a')
  t.equal(await open.ended, true)
  t.match(open.lines, [/^2026-11-23T10:00:30.000000000Z first$/, /^\S+Z second$/])
})

void t.test('a log is followed to its last line when the pod ends', async (t) => {
  const { server, store, log } = await servePods(t)
  writeFileSync(log, 'first\n')
  const open = await watch(server, `${path}?follow=true`)
  await open.count(1)
  appendFileSync(log, 'last\n')
  store.apply(Object.assign(pod('web-a', 'node-a'), { status: { phase: 'Succeeded' } }))
  t.equal(await open.ended, true)
  t.same(open.lines, ['first', 'last'])
  t.equal((await ask(server, path)).text, 'first\nlast\n', 'and it stays')
})

void t.test('requests that have no log', async (t) => {
  const { server, log, folder } = await servePods(t)
  writeFileSync(log, 'text\n')
  const message = async (pod: string, query = '') => {
    const { code, json } = await ask(server, `/api/v1/namespaces/lab/pods/${pod}/log${query}`)
    return `${code} ${(json as { message: string }).message}`
  }
  t.equal(await message('absent'), '404 pods "absent" not found')
  t.equal(
    await message('both'),
    '400 a container name must be specified for pod both, choose one of: [web side]',
  )
  t.equal(await message('both', '?container=x'), '400 container x is not valid for pod both')
  t.equal(
    await message('waiting'),
    '400 container "echo" in pod "waiting" is waiting to start: ContainerCreating',
  )
  t.equal(
    await message('web-a', '?previous=true'),
    '400 previous terminated container "echo" in pod "web-a" not found',
  )
  t.equal(
    await message('web-a', '?tailLines=-1'),
    '422 PodLogOptions "web-a" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
  )
  t.equal(
    await message('web-a', '?limitBytes=0&sinceSeconds=0'),
    '422 PodLogOptions "web-a" is invalid: [limitBytes: Invalid value: 0: must be greater than 0, ' +
      'sinceSeconds: Invalid value: 0: must be greater than 0]',
  )
  t.match(
    await message('web-a', '?sinceSeconds=3&sinceTime=2026-11-23T10:00:00Z'),
    /^422 .*: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified$/,
  )
  t.match(await message('web-a', '?sinceTime=today'), /^400 sinceTime: Invalid value: "today"/)
  t.match(await message('web-a', '?tailLines=few'), /^400 tailLines: Invalid value: "few"/)
  t.equal((await ask(server, '/api/v1/namespaces/lab/pods/both/log?container=side')).text, '')
  rmSync(log)
  t.equal((await ask(server, path)).text, '', 'not written yet')
  writeFileSync(join(folder, 'other'), 'secret\n')
  symlinkSync(join(folder, 'other'), log)
  t.equal((await ask(server, path)).text, '', 'a link is not followed')
})

void t.test('the log before the last restart', async (t) => {
  const { server, log } = await servePods(t)
  writeFileSync(log, 'second run\n')
  writeFileSync(previousLog(log), 'first run\n')
  const logOf = async (pod: string, query = '') =>
    (await ask(server, `/api/v1/namespaces/lab/pods/${pod}/log${query}`)).text
  t.equal(await logOf('again'), 'second run\n')
  t.equal(await logOf('again', '?previous=true'), 'first run\n')
  t.equal(await logOf('failing', '?previous=true'), 'second run\n', 'the last run that ended')
  t.equal(await logOf('failing'), 'second run\n')
})

void t.test('a container that writes no log is followed until its pod is deleted', async (t) => {
  const pods = () => [{ name: 'echo', log: undefined, env: {}, command: () => [] }]
  const { server, store } = await serve(t, [pod('web-a', 'node-a')], { pods })
  const open = await watch(server, `${path}?follow=true`)
  const others = async () => {
    for (let request = 0; request < 20; request++) t.equal((await ask(server, path)).text, '')
    return 'others were answered'
  }
  t.equal(await Promise.race([open.ended, others()]), 'others were answered')
  store.remove('Pod', 'lab', 'web-a')
  t.equal(await open.ended, true)
  t.same(open.lines, [])
})

void t.test('a server without pods has no logs', async (t) => {
  const { server } = await serve(t)
  t.match((await ask(server, path)).json, { code: 400, message: /waiting to start/ })
})

void t.test('a server that does not watch logs has no times', async (t) => {
  const pods = () => [{ name: 'echo', log: undefined, env: {}, command: () => [] }]
  const { server } = await serve(t, [pod('web-a', 'node-a')], { pods })
  t.match((await ask(server, `${path}?timestamps=true`)).json, { code: 400, message: /times .* not known/ })
  t.equal((await ask(server, path)).code, 200)
})

void t.test('kubectl logs', needsKubectl, async (t) => {
  const { server, log } = await servePods(t)
  writeFileSync(log, 'one\ntwo\n')
  const env = kubectlHome(t, await withToken(t, server))
  const all = await kubectl(env, 'logs', '-n', 'lab', 'web-a')
  t.equal(all.stdout, 'one\ntwo\n', all.stderr)
  t.equal((await kubectl(env, 'logs', '-n', 'lab', 'both', '-c', 'web', '--tail=1')).stdout, 'two\n')
  const times = await kubectl(
    env,
    'logs',
    '-n',
    'lab',
    'web-a',
    '--timestamps',
    '--since-time=2026-01-01T00:00:00Z',
  )
  t.match(times.stdout, /^\d{4}-\S+Z one\n\S+Z two\n$/, times.stderr)
  t.equal((await kubectl(env, 'logs', '-n', 'lab', 'web-a', '--since=1h', '--limit-bytes=1')).stdout, 'o')
  t.equal((await kubectl(env, 'logs', '-n', 'lab', '-l', 'app=web', '-c', 'web')).stdout, '')
  const wrong = await kubectl(env, 'logs', '-n', 'lab', 'both', '-c', 'nope')
  t.match(wrong.stderr, /container nope is not valid for pod both/)
})
