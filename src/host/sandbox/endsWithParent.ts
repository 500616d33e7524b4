/**
 * Put before a command, the kernel kills it when its parent ends (prctl(2), PR_SET_PDEATHSIG). What notices that by itself, by
 * the end of a pipe or of a child, does not when a process of the lab has stopped it.
 */
export const endsWithParent: readonly string[] = ['setpriv', '--pdeathsig', 'KILL']
