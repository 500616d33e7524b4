import t from 'tap'
import { createColours } from '../../src/text/colour.js'
import { textWidth } from '../../src/text/textWidth.js'
import { comparisonText, samePath } from '../../src/trace/text/comparisonText.js'
import { tracedTo } from './tracedTo.js'

const asked = { lab: 'nodeport', from: 'client', to: 'http://{node-a}:30080/' }
const left = { mode: 'iptables', prediction: tracedTo(asked) }
const right = { mode: 'nftables', prediction: tracedTo({ ...asked, options: { mode: 'nftables' } }) }
const options = { colours: createColours(false), language: 'en', width: 100, all: false } as const

t.test('the same path in two modes, side by side', async (t) => {
  const lines = comparisonText(left, right, { ...options, path: 2 }).split('\n')
  t.ok(lines.every((line) => textWidth(line) <= 100))
  t.match(lines[0], /^iptables +│ nftables$/)
  const rows = lines.map((line) => line.split(/ *│ */))
  t.ok(rows.some(([one, other]) => one === '━ node-b  in eth0' && other === one))
  t.ok(rows.some(([one]) => one?.trim().startsWith('KUBE-EXT-BD5W… 1 → KUBE-MARK-MASQ')))
  t.ok(rows.some(([, other]) => other === 'service-6E2L… 1 → DNAT dst ⇒ 10.244.2.2:80'))
  t.match(lines.at(-3), /^\d+ rules are evaluated, \d+ apply +│ \d+ rules are evaluated, \d+ apply$/)
})

t.test('paths belong together by their receivers', async (t) => {
  for (const path of left.prediction.paths)
    t.strictSame(samePath(path, right.prediction)?.receiver, path.receiver)
  t.not(left.prediction.paths[0]?.receiver?.name, left.prediction.paths[1]?.receiver?.name)
})
