import t from 'tap'
import { vethlab } from './cli.js'

t.test(
  'reach exits with 0 if all is as promised, 1 if something differs, 2 for what cannot be compared',
  (t) => {
    const same = vethlab(['reach', 'nodeport', '--plan'])
    t.equal(same.code, 0, same.stderr)
    t.match(same.stdout, /every decided request ends as the objects promise/)
    const other = vethlab(['reach', 'nodeport', '--plan', '--against-mode', 'nftables', '--markdown'])
    t.equal(other.code, 1, other.stderr)
    t.match(other.stdout, /\[loopback-node-port\]\(https:/)
    const json = vethlab(['reach', 'nodeport', '--plan', '--against', 'nodeport', '--json'])
    t.equal(json.code, 0, json.stderr)
    t.match(JSON.parse(json.stdout), { groups: [], differences: 0 })
    const unknown = vethlab(['reach', 'nodeport', '--plan', '--service', 'absent'])
    t.match(unknown, { code: 2, stderr: /there is no Service default\/absent/ })
    t.end()
  },
)
