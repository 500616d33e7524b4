import t from 'tap'
import { commandsIn, wordsOfCommand } from '../../../src/workshop/authors/commandsIn.js'

t.test('commands are lines that begin with a space', async (t) => {
  const text =
    'Try `vethlab ps`:\n\n    vethlab kubectl shop get pods  all pods\n  sysctl -a\n  vethlab rules shop node-a | head\n'
  t.strictSame(commandsIn(text), ['vethlab kubectl shop get pods', 'vethlab rules shop node-a | head'])
})

t.test('a command is read as a shell reads it', async (t) => {
  const readable: [string, readonly string[]][] = [
    ['vethlab  ps', ['vethlab', 'ps']],
    [`patch -p '{"a b":[1]}' x`, ['patch', '-p', '{"a b":[1]}', 'x']],
    [`say "it's \\"so\\"" a\\ b ''`, ['say', `it's "so"`, 'a b', '']],
    ['vethlab rules shop node-a | head -3', ['vethlab', 'rules', 'shop', 'node-a']],
  ]
  for (const [command, words] of readable) t.strictSame(wordsOfCommand(command), words, command)
  for (const command of ['a; b', 'a && b', 'a > b', 'echo $HOME', 'ls *', 'a `b`', `it's`, 'a "$b"'])
    t.equal(wordsOfCommand(command), undefined, command)
})
