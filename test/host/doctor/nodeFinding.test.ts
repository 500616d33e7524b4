import { readFileSync } from 'node:fs'
import t from 'tap'
import { nodeFinding } from '../../../src/host/doctor/nodeFinding.js'
import { nodeLines } from '../../../src/host/doctor/requirements.js'

t.test('supported and unsupported versions of Node', (t) => {
  const supported = ['20.19.0', '20.20.2', '22.13.0', '22.99.0', '24.0.0', '25.0.1']
  const unsupported = ['18.20.4', '20.18.3', '21.7.3', '22.12.0', '23.11.1']
  for (const version of supported) t.match(nodeFinding(version), { status: 'ok', remedy: undefined }, version)
  for (const version of unsupported) {
    t.match(
      nodeFinding(version),
      { status: 'missing', required: true, remedy: /20\.19, 22\.13, 24/ },
      version,
    )
  }
  t.end()
})

t.test('package.json asks for the same versions', (t) => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
  const ranges = nodeLines.map(([major, minor], index) =>
    index === nodeLines.length - 1 ? `>=${major}` : `^${major}.${minor}.0`,
  )
  t.equal(engines.node, ranges.join(' || '))
  t.end()
})
