import t from 'tap'
import { cannotRun } from './ability.js'
import { labs, runAllWith } from './allLabs.js'

t.test('every lab says what it is about', async (t) => {
  for (const { name, title, summary } of labs) {
    t.not(title, name, `${name} has a title`)
    t.ok((summary ?? '').length > 0, `${name} has a summary`)
  }
})

t.test('every lab passes', { skip: cannotRun }, async (t) => runAllWith(t, 'nft'))
