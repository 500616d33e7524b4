// Writes docs/nodeport.svg, the picture of the README: runs the lab nodeport, and draws what it printed with the steps after
// the first left out.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plain, terminalSvg } from './docs/terminalSvg.js'

const root = join(import.meta.dirname, '..')
const { status, stdout } = spawnSync(
  process.execPath,
  [join(root, 'scripts/vethlab.mjs'), 'run', 'nodeport'],
  {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8', FORCE_COLOR: '1', COLUMNS: '100' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
if (status !== 0) throw new Error(`vethlab run nodeport ended with ${status}`)
const lines = stdout.trimEnd().split('\n')
const second = lines.findIndex((line) => plain(line).startsWith('✔ 2 '))
const last = lines.at(-1) ?? ''
const shown = [
  '$ sudo npm run lab nodeport',
  '',
  ...lines.slice(0, second),
  '\x1b[2m… three more steps …\x1b[22m',
  '',
  // without the duration, kernel and backend, which are those of this host
  last.replace(/, [\d.]+ m?s(?=,)/, '').replace(/(\x1b\[\d+m)* {2,}.*$/, ''),
]
const title =
  'Output of vethlab run nodeport: the nodes and pods of the lab, the path of a packet, and the checks'
writeFileSync(join(root, 'docs/nodeport.svg'), terminalSvg(shown, { title }))
