import t from 'tap'
import { changesObjects, splitAtVerb } from '../../../src/commands/kubectl/kubectlWords.js'

t.test('options of kubectl may be before its verb', async (t) => {
  t.strictSame(splitAtVerb(['-n', 'games', '--v=6', 'get', 'pods', '-A']), {
    before: ['-n', 'games', '--v=6'],
    verb: 'get',
    after: ['pods', '-A'],
  })
  t.equal(splitAtVerb(['--help']).verb, undefined)
})

t.test('a lab settles after words that may change objects, and only then', async (t) => {
  const words = (text: string) => changesObjects(text.split(' '))
  for (const text of [
    'apply -f -',
    'rollout restart deployment/a',
    '-n get scale deployment a',
    'edit svc a',
  ])
    t.equal(words(text), true, text)
  for (const text of ['get pods', 'rollout status deployment/a', '-n apply get pods', 'wait pod/a', '--help'])
    t.equal(words(text), false, text)
})
