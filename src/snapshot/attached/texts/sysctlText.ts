import { lineAt, type CleanText, type FormatPart, type LineProblem } from './model.js'
import { capped } from './saveText.js'

const setting = /^([a-zA-Z][\w./:@*-]{1,200}) ?= ?(.*)$/
const file = /^\/proc\/sys\/([^:\s]{1,200}):(.*)$/

/**
 * Reads `sysctl -a`, lines of its configuration, and `grep -s . /proc/sys/…`. Names have dots, and those of interfaces are as the
 * kernel has them: sysctl(8) prints `eth0/100` for the interface `eth0.100`.
 */
export function readSysctlText(text: CleanText): FormatPart {
  const sysctls: Record<string, string> = {}
  const problems: LineProblem[] = []
  const { program, args } = text.hints
  const only = program === 'cat' || args.includes('-n') ? args.find((arg) => isName(arg, program)) : undefined
  text.lines.forEach((raw, index) => {
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || line.startsWith(';')) return
    const found = setting.exec(line) ?? file.exec(line)
    if (found) {
      const [, name = '', value = ''] = found
      // bounded to what rules of the network depend on: `sysctl -a` has thousands
      if (isOfNetwork(name)) sysctls[dotted(name)] = value.trim()
    } else if (only !== undefined && Object.keys(sysctls).length === 0)
      sysctls[dotted(only.replace('/proc/sys/', ''))] = line
    else if (!line.startsWith('sysctl: '))
      problems.push({
        line: lineAt(text, index),
        message: `expected a setting, found "${line.slice(0, 60)}"`,
      })
    else if (/net[./]/.test(line)) problems.push({ line: lineAt(text, index), message: line.slice(0, 200) })
  })
  return { format: 'sysctl', sysctls, lost: [], problems: capped(problems) }
}

function isName(arg: string, program: string | undefined): boolean {
  return program === 'cat' ? arg.startsWith('/proc/sys/') : /^[a-z]\w*[./]/.test(arg)
}

function isOfNetwork(name: string): boolean {
  return name.startsWith('net.') || name.startsWith('net/')
}

/** With slashes as separators, dots belong to names of interfaces; with dots, slashes do (sysctl(8)). */
function dotted(name: string): string {
  return name.replaceAll('/', '.')
}
