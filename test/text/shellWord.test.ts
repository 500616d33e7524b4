import { spawnSync } from 'node:child_process'
import t from 'tap'
import { shellWord } from '../../src/text/shellWord.js'

t.test('a shell reads the word as it was', async (t) => {
  const words = [
    'get',
    'jsonpath={.items[*].metadata.name}',
    "it's",
    '$HOME `id`',
    '',
    'a b',
    '*',
    'app in (a,b)',
    '~',
  ]
  for (const word of words)
    t.equal(spawnSync('sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' }).stdout, word)
})

t.test('words without special characters stay readable', async (t) => {
  t.equal(
    ['exec', 'my-lab', 'pods,svc', '--', 'a/b.yaml'].map(shellWord).join(' '),
    'exec my-lab pods,svc -- a/b.yaml',
  )
})
