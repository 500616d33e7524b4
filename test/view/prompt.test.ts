import t from 'tap'
import { watchPrompt } from '../../src/view/page/live/terminal/prompt.js'

const bytes = (text: string) => new TextEncoder().encode(text)

t.test('a prompt is recognized among what shells print around it', async (t) => {
  const shown = (...parts: string[]) => {
    const prompt = watchPrompt()
    parts.forEach((part) => prompt.print(bytes(part)))
    return prompt.isShown()
  }
  t.notOk(shown(), 'a shell that starts')
  t.ok(shown('nodeport client / # '), 'at once')
  t.ok(shown('\x1b[?2004hisland node-a / # '), 'with bracketed paste')
  t.ok(shown('a line\r\nisland ', 'node-a / # '), 'in parts')
  t.notOk(shown('island node-a / # ls'), 'with a command')
  t.notOk(shown('island node-a / # ls\r\n'), 'while the command runs')
  t.notOk(shown('listening on any\r\n# of packets'), 'output')
  t.ok(shown('island node-a / # tcpdump\r\n^C\r\n', 'island node-a / # '), 'after Ctrl-C')
})

t.test('a wait ends with the next prompt, or after its time', async (t) => {
  const prompt = watchPrompt()
  let hasEnded = false
  // short on purpose: nothing is printed
  await prompt.wait(1)
  const waiting = prompt.wait(600_000).then(() => (hasEnded = true))
  prompt.print(bytes('starting'))
  await Promise.resolve()
  t.notOk(hasEnded)
  prompt.print(bytes('\r\nclient / # '))
  await waiting
  await prompt.wait(600_000)
})
