import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Runs `act` under a lock of the checkout; waits for another set-up, and takes the lock of one that is dead. */
export function withLock(file, act, { onWait = () => {} } = {}) {
  mkdirSync(dirname(file), { recursive: true })
  let waiting = false
  while (!tryTake(file)) {
    if (!waiting) onWait(holderOf(file))
    waiting = true
    pause(100)
  }
  try {
    return act()
  } finally {
    rmSync(file, { force: true })
  }
}

function tryTake(file) {
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    const holder = holderOf(file)
    if (holder !== undefined && !isAlive(holder)) rmSync(file, { force: true })
    return false
  }
}

function holderOf(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function pause(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
