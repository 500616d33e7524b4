import { once } from 'node:events'
import t from 'tap'
import { startTerminal } from '../../../src/host/terminal/startTerminal.js'

t.test('what is typed into a terminal that is ending is no error', async (t) => {
  const terminal = startTerminal(['sh'], {}, { rows: 24, columns: 80 })
  await once(terminal.output, 'data')
  terminal.output.resume()
  let hasEnded = false
  void terminal.ended.then(() => (hasEnded = true))
  terminal.close()
  t.equal(hasEnded, false, 'its end is not known yet')
  while (!hasEnded) await terminal.write('x'.repeat(100_000))
  await terminal.write('x')
})

t.test('a terminal that is ending is not resized, which is no error', async (t) => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const terminal = startTerminal(['sh'], {}, { rows: 24, columns: 80 })
    await once(terminal.output, 'data')
    terminal.output.resume()
    const resized = terminal.resize({ rows: 30, columns: 100 })
    terminal.close()
    await t.resolves(resized)
    await t.resolves(terminal.resize({ rows: 30, columns: 100 }))
    await terminal.ended
    await t.resolves(terminal.resize({ rows: 30, columns: 100 }))
  }
})
