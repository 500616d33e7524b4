import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startApiProcess } from '../../../src/host/kubeProxy/apiProcess.js'
import { fakeSandbox } from '../../../src/host/sandbox/fake/fakeSandbox.js'

/** Starts a shell script in place of the API server. */
function startScript(script: string) {
  const sandbox = fakeSandbox({ command: () => ['sh', '-c', script] })
  const options = { name: 'lab', host: '127.0.0.1', port: 6443, objects: [], builtIn: [], writable: false }
  return startApiProcess(sandbox, options)
}

/** Ends the process whose id a script has written to a file. */
function endAfter(t: Test, pidFile: string) {
  t.teardown(() => {
    if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL')
  })
}

t.test('an API process that ends at once is an error with its output', async (t) => {
  await t.rejects(startScript('echo no memory >&2; exit 5'), { message: /exited with 5\n.*no memory/s })
  await t.rejects(startScript('kill -9 $$'), { message: /was ended by SIGKILL/ })
})

t.test('its end is reported even if a process that it has started keeps its outputs open', async (t) => {
  const pidFile = join(t.testdir({}), 'pid')
  endAfter(t, pidFile)
  await t.rejects(startScript(`sleep 600 & echo $! >'${pidFile}'; echo no memory >&2; exit 5`), {
    message: /exited with 5\n.*no memory/s,
  })
})
