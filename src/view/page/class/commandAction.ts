/** What a click on a command of a task, a hint or a solution does. */
export type CommandAction =
  /** Types it into a terminal: of this place, or of a node if it is undefined. */
  | {
      readonly kind: 'type'
      readonly place: string | undefined
      readonly text: string
      /** False for a command that is incomplete: Enter is left to the participant. */
      readonly runs: boolean
    }
  | { readonly kind: 'shell'; readonly place: string }
  /** Shows the rules of a node. */
  | { readonly kind: 'rules'; readonly node: string }
  /** Shows a pane of the live view. */
  | { readonly kind: 'pane'; readonly pane: 'path' | 'packets' }
  /** Restarts the kube-proxy of a node, or of all. */
  | { readonly kind: 'restart'; readonly node: string | undefined }
  | { readonly kind: 'exercise'; readonly action: 'check' | 'hint' | 'solution' | 'reset' }

const inPlace = /(?:sudo )?\bvethlab (?:exec|shell) \S+ (\S+)(?: -- | -- ?$|$)/g
const inCluster = /(?:sudo )?\bvethlab kubectl [^\s-]\S*/g

/**
 * What a click on a command does: a terminal is inside the lab, where `vethlab exec LAB PLACE -- command` is just the command in
 * the terminal of PLACE. Undefined for text that is no command of the lab. `isLine`: the text is a line of its own, not a
 * piece of a sentence, which may be incomplete.
 */
export function commandAction(line: string, isLine: boolean): CommandAction | undefined {
  const [, verb = '', first = '', second = ''] =
    /^(?:sudo )?vethlab (\S+)(?: (\S+))?(?: (\S+))?/.exec(line) ?? []
  if (verb === 'workshop') return ofExercise(first)
  if (verb === 'rules' && second !== '') return { kind: 'rules', node: second }
  if (verb === 'trace' || verb === 'why') return { kind: 'pane', pane: 'path' }
  if (verb === 'capture') return { kind: 'pane', pane: 'packets' }
  const [proxy, node] = second.split('/')
  if (verb === 'restart' && proxy === 'kube-proxy') return { kind: 'restart', node }
  return ofTerminal(line, isLine)
}

function ofExercise(name: string): CommandAction | undefined {
  const action = (['check', 'hint', 'solution', 'reset'] as const).find((one) => one === name)
  return action && { kind: 'exercise', action }
}

function ofTerminal(line: string, isLine: boolean): CommandAction | undefined {
  const places = [...line.matchAll(inPlace)].map(([, place]) => place ?? '')
  const [place] = places
  // a line that needs two terminals, or another command of vethlab
  if (places.some((other) => other !== place)) return undefined
  const text = line.replaceAll(inPlace, '').replaceAll(inCluster, 'kubectl').trim()
  if (/\bvethlab\b/.test(text)) return undefined
  if (text === '') return place === undefined ? undefined : { kind: 'shell', place }
  if (text === line && !isCommand(text)) return undefined
  return { kind: 'type', place, text, runs: (isLine || text !== line) && !hasBlank(text) }
}

/** Tools of the exercises; the first word of other code in backticks is no command: `all`. */
const tools =
  /^(arping|bridge|cat|conntrack|curl|dig|ethtool|grep|ip|ip6tables|ipset|iptables|iptables-save|ipvsadm|kubectl|nc|nft|nslookup|nstat|ping|ps|ss|sysctl|tc|tcpdump|wget)( |$)/

function isCommand(text: string): boolean {
  return tools.test(text)
}

/** Whether a word is to be filled in: `ADDRESS`, or a word of another language. Names of chains have a hyphen. */
function hasBlank(text: string): boolean {
  return /(?:^| )(?:<[^>]+>|[\u3131-\ud7a3]+|(?:ADDRESS|NAME|NODE|POD|PLACE|PORT|IP))(?: |$)/.test(text)
}
