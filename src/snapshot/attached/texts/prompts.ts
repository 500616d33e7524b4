/** A line at which a command was typed. */
export interface Prompt {
  readonly command: string
  /** The host that the prompt names. */
  readonly host?: string | undefined
  /** The text before the command's sign: `root@node1:~`. */
  readonly before: string
}

const tools = new Set([
  ...['iptables', 'ip6tables', 'iptables-save', 'ip6tables-save', 'iptables-nft', 'iptables-legacy'],
  ...['iptables-nft-save', 'iptables-legacy-save', 'ip6tables-nft-save', 'ip6tables-legacy-save', 'nft'],
  ...[
    'ip6tables-nft',
    'ip6tables-legacy',
    'ip',
    'ipset',
    'ipvsadm',
    'conntrack',
    'ss',
    'netstat',
    'ifconfig',
  ],
  ...[
    'route',
    'bridge',
    'sysctl',
    'hostname',
    'uname',
    'cat',
    'kubectl',
    'k3s',
    'microk8s',
    'oc',
    'curl',
    'wget',
  ],
  ...[
    'ping',
    'dig',
    'nslookup',
    'nc',
    'tcpdump',
    'docker',
    'crictl',
    'nsenter',
    'chroot',
    'ssh',
    'sudo',
    'grep',
  ],
  ...[
    'journalctl',
    'systemctl',
    'ethtool',
    'microk8s.kubectl',
    'k',
    'minikube',
    'kind',
    'calicoctl',
    'cilium',
  ],
])

/** Whether a text begins with a command that people use to look at a node. */
export function beginsWithTool(text: string): boolean {
  const word = text.trimStart().split(/\s/, 1)[0] ?? ''
  return tools.has(word.slice(word.lastIndexOf('/') + 1))
}

/** `root@node1:~# cmd`, `[root@node1 ~]# cmd`, `node1 $ cmd`, `$ cmd`, and `# cmd` and `+ cmd` of a known tool. */
export function readPrompt(line: string): Prompt | undefined {
  if (line.length > 4000) return undefined
  const trace = /^\++ /.exec(line)
  if (trace) {
    const command = line.slice(trace[0].length)
    return beginsWithTool(command) ? { command: command.trim(), before: '+' } : undefined
  }
  const sign = /[#$%>❯➜](?: |$)/u.exec(line.slice(0, 160))
  if (sign === null) return undefined
  const before = line.slice(0, sign.index).trim()
  const command = line.slice(sign.index + sign[0].length).trim()
  if (sign[0].startsWith('>') && !/^(?:PS )?[A-Z]:\\/.test(before)) return undefined
  const isShell = sign[0].startsWith('$')
  if (before === '') {
    if (/^[❯➜]/u.test(sign[0])) return afterFolder(command)
    // a heading of markdown and a comment of YAML begin like a prompt of root
    return (isShell && command !== '') || beginsWithTool(command) ? { command, before } : undefined
  }
  const at = /^\[?[\w.-]{1,64}@([\w.-]{1,253})(?:[: ][^\s]{0,100})?\]?:?$/.exec(before)
  if (at) return { command, host: at[1], before }
  // `node1 $`, `node1:~ #`, `sh-5.1#`, `/ #`
  const bare = /^([\w.-]{1,253})?(?::?\s?[~/][^\s]{0,100})?$/.exec(before)
  if (bare === null || !beginsWithTool(command)) return undefined
  const host = bare[1] === undefined || /^(?:ba|z|k|da|a)?sh-/.test(bare[1]) ? undefined : bare[1]
  return { command, before, ...(host !== undefined && { host }) }
}

/** `~ kubectl get svc`, `vethlab git:(main) ip a` after the sign of a decorated prompt. */
function afterFolder(text: string): Prompt | undefined {
  if (beginsWithTool(text)) return { command: text, before: '' }
  const words = text.split(/\s+/)
  const at = words.slice(0, 5).findIndex((word) => beginsWithTool(word))
  return at < 0 ? undefined : { command: words.slice(at).join(' '), before: '' }
}

/** The command or file that a heading names: `### iptables-save`, `==> networking/iprule <==`, `===== ip a =====`. */
export function readHeading(line: string): { readonly command?: string; readonly file?: string } | undefined {
  if (line.length > 400) return undefined
  const tail = /^==> (.+) <==$/.exec(line.trim())
  if (tail) return { file: tail[1] ?? '' }
  const [, sign = '', rest = ''] = /^(#{2,6}|[=*-]{2,80}|\*\*|<)\s*(\S.*)$/.exec(line.trim()) ?? []
  if (sign === '') return undefined
  let inner = rest
  while (inner !== '' && '=-*#>:`"\' '.includes(inner.at(-1) ?? '')) inner = inner.slice(0, -1)
  inner = inner.replace(/^(?:output of |running |command:? |cmd:? |[`"'$#]\s?)/i, '').trim()
  return beginsWithTool(inner) ? { command: inner } : undefined
}
