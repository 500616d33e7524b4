// @ts-check
// Code for sandboxes, tested with a fake one and with the kernel: sudo node --test docs/examples/fakeSandbox.test.mjs
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeSandbox, withSandbox } from 'vethlab'

/**
 * Creates a network namespace and returns the names of its links.
 * @param {import('vethlab').Sandbox} sandbox
 * @param {string} netns
 */
async function createdLinks(sandbox, netns) {
  await sandbox.must('creating a namespace', ['ip', 'netns', 'add', netns])
  const { stdout } = await sandbox.must('listing links', ['ip', '-j', 'link'], { netns })
  /** @type {{ ifname: string }[]} */
  const links = JSON.parse(stdout)
  return links.map(({ ifname }) => ifname)
}

test('the planned commands run, and no others', async () => {
  const sandbox = fakeSandbox()
  sandbox.plan(['ip', 'netns', 'add', 'node-a'])
  sandbox.plan(['ip', '-j', 'link'], { stdout: '[{ "ifname": "lo" }]' })

  assert.deepEqual(await createdLinks(sandbox, 'node-a'), ['lo'])
  assert.deepEqual(
    sandbox.ran.map(({ options }) => options.netns),
    [undefined, 'node-a'],
  )
  sandbox.assertDone()
})

test('a command that is not planned fails', async () => {
  const sandbox = fakeSandbox()
  sandbox.plan(['ip', 'netns', 'add', 'node-b'])
  await assert.rejects(createdLinks(sandbox, 'node-a'), /not planned: run ip netns add node-a/)
  assert.throws(() => sandbox.assertDone(), /did not come: run ip netns add node-b/)
})

test('it is the same with the kernel', async () => {
  const links = await withSandbox('example', {}, async (made) => createdLinks(await made, 'node-a'))
  assert.ok(links.includes('lo'))
})
