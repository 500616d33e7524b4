import { appendFileSync, symlinkSync, truncateSync, writeFileSync, rmSync } from 'node:fs'
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
  t.match(await message('web-a', '?timestamps=true'), /^400 the logs of a lab have no times/)
  t.match(await message('web-a', '?tailLines=-1'), /^400 tailLines: Invalid value/)
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

void t.test('a server without pods has no logs', async (t) => {
  const { server } = await serve(t)
  t.match((await ask(server, path)).json, { code: 400, message: /waiting to start/ })
})

void t.test('kubectl logs', needsKubectl, async (t) => {
  const { server, log } = await servePods(t)
  writeFileSync(log, 'one\ntwo\n')
  const env = kubectlHome(t, await withToken(t, server))
  const all = await kubectl(env, 'logs', '-n', 'lab', 'web-a')
  t.equal(all.stdout, 'one\ntwo\n', all.stderr)
  t.equal((await kubectl(env, 'logs', '-n', 'lab', 'both', '-c', 'web', '--tail=1')).stdout, 'two\n')
  t.equal((await kubectl(env, 'logs', '-n', 'lab', '-l', 'app=web', '-c', 'web')).stdout, '')
  const wrong = await kubectl(env, 'logs', '-n', 'lab', 'both', '-c', 'nope')
  t.match(wrong.stderr, /container nope is not valid for pod both/)
})
