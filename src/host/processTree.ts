import { readdirSync, readFileSync } from 'node:fs'

/** The process that waits in the outer user namespace: the grandparent of the sandbox's first process. */
export function outerProcess(pid: number): number {
  return parentOf(parentOf(pid))
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** The first child of a process; /proc's `children` file where the kernel has it, else a walk over /proc. */
export function onlyChild(parent: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim()
    if (children !== '') return Number(children.split(' ')[0])
  } catch {
    return childByParent(parent)
  }
  return undefined
}

function childByParent(parent: number): number | undefined {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      // the command name, in parentheses, may hold spaces: fields count from its end
      if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent) return Number(entry)
    } catch {
      continue
    }
  }
  return undefined
}
