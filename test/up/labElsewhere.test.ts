import t from 'tap'
import { isOther } from '../../src/up/labElsewhere.js'

t.test('a name means another lab where another clone is', (t) => {
  const other = (here: string, running: string, cwd: string) => isOther(here, running, cwd)
  t.ok(other('/b/labs/x', '/a/labs/x', '/b'))
  t.ok(other('/b/labs/x', '/a/labs/x', '/b/src'), 'in a folder of a clone')
  t.ok(other('/a/trees/b/labs/x', '/a/labs/x', '/a/trees/b'), 'a clone in a clone')
  t.ok(other('/b/labs/x', '/a/labs/x', '/'), 'both are below this folder')
  t.ok(other('/usr/lib/vethlab/labs/x', '/a/labs/x', '/home'), 'the lab of the package')
  t.notOk(other('/a/labs/x', '/a/labs/x', '/'))
  t.notOk(other('/usr/lib/vethlab/labs/x', '/a/labs/x', '/a/docs'), 'in a folder of its project')
  t.notOk(other('/usr/lib/vethlab/labs/x', '/home/me/labs/x', '/home'), 'it is below this folder')
  t.notOk(other('/usr/lib/vethlab/labs/x', '/a/x', '/a'), 'a lab outside of labs/')
  t.end()
})
