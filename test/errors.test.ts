import t from 'tap'
import { CommandError } from '../src/errors.js'

t.test('a failed command is reported without the scripts among its arguments', async (t) => {
  const { message } = new CommandError({
    what: 'files of pods',
    argv: ['sh', '-c', 'set -e\nmount --move . /\n', 'files-of-a-place'],
    exitCode: 1,
    stderr: 'mount: permission denied\n',
  })
  t.equal(message, 'files of pods: `sh -c … files-of-a-place` exited with 1\n    mount: permission denied')
})
