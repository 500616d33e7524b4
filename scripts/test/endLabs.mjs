import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The variable that names the runs of tests to which a process belongs, separated by spaces: a test can run tests. */
const variable = 'VETHLAB_TEST_RUNS'

/** The environment of test processes, by which the processes of labs are known that outlive them. */
export function environmentOf(run) {
  return { ...process.env, [variable]: [process.env[variable], run].filter(Boolean).join(' ') }
}

/** Ends what the tests of a run left up, and waits until it is gone: each process of vethlab removes what it holds. */
export async function endLabs(run) {
  for (const pid of processesOf(run)) kill(pid)
  while (processesOf(run).length > 0) await sleep(50)
}

function processesOf(run) {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return false
    const [, script = ''] = listIn(pid, 'cmdline')
    if (!script.endsWith('/cli.cjs')) return false
    const runs = listIn(pid, 'environ').find((entry) => entry.startsWith(`${variable}=`))
    return (
      runs
        ?.slice(variable.length + 1)
        .split(' ')
        .includes(run) === true
    )
  })
}

/** The entries of a list that the kernel has of a process; none when it has ended. */
function listIn(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function kill(pid) {
  try {
    process.kill(Number(pid), 'SIGTERM')
  } catch {
    // it has just ended
  }
}
