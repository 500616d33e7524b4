import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { load } from '../../scripts/load.js'

const { missingTools, packagesOf } =
  await load<typeof import('../../../scripts/setup/tools.mjs')>('scripts/setup/tools.mjs')
const { readRequirements, supportsNode } = await load<
  typeof import('../../../scripts/setup/requirements.mjs')
>('scripts/setup/requirements.mjs')

interface Tool {
  readonly name: string
  readonly package: string
}
interface Requirements {
  readonly node: number[][]
  readonly tools: Tool[]
}
const requirements = readRequirements() as Requirements

t.test('tools are found by their files, and only when they may be run', (t) => {
  const root = t.testdir({ usr: { sbin: {} }, opt: { bin: {} } })
  const make = (path: string, mode: number) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
    chmodSync(join(root, path), mode)
  }
  make('usr/sbin/iptables', 0o755)
  make('opt/bin/curl', 0o755)
  make('usr/sbin/tcpdump', 0o644)
  make('usr/lib/module.so', 0o644)
  const tools = [
    { name: 'iptables', package: 'iptables' },
    { name: 'curl', package: 'curl' },
    { name: 'tcpdump', package: 'tcpdump' },
    { name: 'nft', package: 'nftables' },
    { name: 'module', package: 'module', files: ['/usr/lib64/module.so', '/usr/lib/module.so'] },
    { name: 'other module', package: 'other', files: ['/usr/lib/other.so'] },
  ]
  const missing = (path: string) => (missingTools(tools, { path, root }) as Tool[]).map((tool) => tool.name)
  t.strictSame(
    missing('/opt/bin:relative::'),
    ['tcpdump', 'nft', 'other module'],
    'the folders of the system count too',
  )
  t.strictSame(missing(''), ['curl', 'tcpdump', 'nft', 'other module'])
  t.end()
})

t.test('a machine with nothing lacks each tool, and each package is named once', (t) => {
  const root = t.testdir({})
  const missing = missingTools(requirements.tools, { path: '/usr/bin', root }) as Tool[]
  t.strictSame(missing, requirements.tools)
  t.strictSame(packagesOf([...missing, ...missing]), [
    ...new Set(requirements.tools.map((tool) => tool.package)),
  ])
  t.end()
})

t.test('the supported versions of Node are those of package.json', (t) => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
  t.equal(engines.node, '^20.19.0 || ^22.13.0 || >=24')
  const table: [string, boolean][] = [
    ['18.20.4', false],
    ['20.18.3', false],
    ['20.19.0', true],
    ['20.20.2', true],
    ['21.7.3', false],
    ['22.12.0', false],
    ['22.13.0', true],
    ['23.11.1', false],
    ['24.0.0', true],
    ['25.1.0', true],
  ]
  for (const [version, supported] of table)
    t.equal(supportsNode(requirements.node, version), supported, version)
  t.end()
})
