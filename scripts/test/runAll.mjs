/**
 * Calls `run` for each task, in order, as many at once as fit on `cores`; a task that takes half a core shares it. One
 * task runs even where it does not fit. Stops beginning tasks once `run` resolves to false.
 */
export async function runAll(tasks, cores, run) {
  const left = [...tasks]
  const running = new Set()
  let free = cores
  let stopped = false
  const begin = ({ cores: taken, test }) => {
    free -= taken
    const done = run(test).then((goOn) => {
      free += taken
      stopped ||= !goOn
      running.delete(done)
    })
    running.add(done)
  }
  while (running.size > 0 || (left.length > 0 && !stopped)) {
    for (let next = fitting(); next !== undefined; next = fitting()) {
      left.splice(left.indexOf(next), 1)
      begin(next)
    }
    await Promise.race(running)
  }

  function fitting() {
    if (stopped) return undefined
    return left.find((task) => task.cores <= free) ?? (running.size === 0 ? left[0] : undefined)
  }
}
