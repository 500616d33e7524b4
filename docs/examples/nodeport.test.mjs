// @ts-check
// A custom test with Node's test runner: sudo node --test docs/examples/nodeport.test.mjs
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withLab } from 'vethlab'

test('the pod sees the node that was called, not the client', async () => {
  await withLab('nodeport', async (lab) => {
    const [nodeA] = lab.addresses('node-a')
    const [client] = lab.addresses('client')
    const { request, flow } = await lab.flow('client', `http://${nodeA}:30080/`)

    assert.equal(request.http?.status, 200)
    assert.ok(flow)

    const dnat = flow.nat.find(({ kind }) => kind === 'DNAT')
    assert.deepEqual(dnat?.from, { address: nodeA, port: 30080 })
    assert.equal(dnat?.netns, 'node-a')

    const snat = flow.nat.find(({ kind }) => kind === 'SNAT')
    assert.equal(snat?.from.address, client)

    // the client sees the address that it called, whatever happened on the way
    assert.deepEqual(flow.replyHops.at(-1)?.source, { address: nodeA, port: 30080 })
  })
})

test('one pod calls another without any NAT', async () => {
  await withLab('nodeport', async (lab) => {
    const [one, other] = lab.objects.pods.map(({ metadata }) => metadata.name)
    assert.ok(one !== undefined && other !== undefined)
    const { flow } = await lab.flow(one, `http://${lab.addresses(other)[0]}/`)
    assert.deepEqual(flow?.nat, [])
    assert.equal(flow?.outcome, 'answered')
  })
})

test('any command runs in any place', async () => {
  await withLab('nodeport', async (lab) => {
    const { exitCode, stdout } = await lab.exec('app=my-app@node-b', [
      'ip',
      '-o',
      '-4',
      'address',
      'show',
      'eth0',
    ])
    assert.equal(exitCode, 0)
    assert.match(stdout, /10\.244\.2\.2\/24/)
  })
})
