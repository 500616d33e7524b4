import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import type { ReportDocument } from '../../src/view/report/document.js'
import { cannotRun } from './ability.js'
import { vethlab } from './servedCommands.js'

t.test('the report of a run explains every flow by rules', { skip: cannotRun }, async (t) => {
  const file = join(t.testdir(), 'nodeport.html')
  const { code, stdout, stderr } = await vethlab(['run', 'nodeport', '--reporter', 'html', '--output', file])
  t.equal(code, 0, stdout + stderr)
  t.ok(statSync(file).size <= 300_000, `${statSync(file).size} bytes`)
  const html = readFileSync(file, 'utf8')
  const block = (id: string) => {
    const [, text = ''] = new RegExp(`id="${id}">([^<]*)<`).exec(html) ?? []
    return gunzipSync(Buffer.from(text, 'base64'))
  }
  const { labs } = JSON.parse(block('report').toString()) as ReportDocument
  const [lab] = labs
  if (lab === undefined) throw new Error('the report has no lab')
  t.equal(lab.steps.length, lab.report.steps.length)
  for (const [index, { paths }] of lab.steps.entries()) {
    const { flows, name } = lab.report.steps[index] ?? {}
    t.equal(paths.length, flows?.length, name ?? '')
    for (const path of paths) {
      if (!('path' in path)) t.fail(`${name}: ${path.unknown}`)
      else
        t.strictSame(path.differing, [], `${name}: ${path.seen} captured packets are where rules send them`)
    }
  }
  const rules = lab.steps.flatMap(({ paths }) =>
    paths.flatMap((one) => ('path' in one ? one.path.hops.flatMap(({ steps }) => steps) : [])),
  )
  t.ok(rules.some((step) => step.kind === 'rule' && step.why?.includes('nodePort')))
  // the magic number of a section header block
  t.equal(block('packets-0').readUInt32LE(0), 0x0a0d0d0a)
  t.equal(block('packets-0').length, lab.captureBytes)
})

t.test('the page of a trace has the path that the kernel took', { skip: cannotRun }, async (t) => {
  const file = join(t.testdir(), 'trace.html')
  const call = ['trace', 'nodeport', 'client', 'http://{node-a}:30080/', '--html', file]
  const { code, stdout, stderr } = await vethlab(call)
  t.equal(code, 0, stdout + stderr)
  t.match(stdout, /✔ as predicted/)
  const { labs } = pageData(readFileSync(file, 'utf8'))
  t.match(labs[0]?.report.steps, [
    { ok: true, summary: ['the caller: HTTP 200'], checks: [{ ok: true }], flows: [{ outcome: 'answered' }] },
  ])
  t.match(labs[0]?.steps[0]?.paths, [{ basis: 'trace', differing: [] }])

  const failing = ['trace', 'nodeport', 'client', 'https://{node-a}:30080/', '--html', file]
  t.match(await vethlab(failing), { code: 0, stdout: /✗ fails at my-app-.*speaks HTTP without TLS/s })
  const page = readFileSync(file, 'utf8')
  t.match(page, /<title>vethlab: nodeport: failed<\/title>/)
  t.match(pageData(page).labs[0]?.report.steps, [
    { ok: false, summary: [/^the caller: failed: curl: \(35\)/], checks: [{ ok: true }] },
  ])
  t.match(pageData(page).labs[0]?.steps[0]?.why?.findings, [
    { code: 'protocol-different', changes: [{ says: 'call http://{node-a}:30080/' }] },
  ])

  const nowhere = await vethlab([...call.slice(0, -1), '/proc/trace.html'])
  t.equal(nowhere.code, 3)
  t.match(nowhere.stderr, /cannot write the report to \/proc\/trace\.html/)
})

function pageData(page: string): ReportDocument {
  const [, text = ''] = /id="report">([^<]*)</.exec(page) ?? []
  return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as ReportDocument
}
