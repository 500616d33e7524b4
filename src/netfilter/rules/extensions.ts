import { connectionMatches } from './matches/connection.js'
import { countingMatches } from './matches/counting.js'
import { packetMatches } from './matches/packet.js'
import { transportMatches } from './matches/transport.js'
import { markTargets } from './targets/marks.js'
import { natTargets } from './targets/nat.js'
import { verdictTargets } from './targets/verdicts.js'

/** The matches that have types, by the name that follows `-m`. */
export const matches = { ...transportMatches, ...connectionMatches, ...packetMatches, ...countingMatches }

/** The targets that have types, by the name that follows `-j`. */
export const targets = { ...natTargets, ...markTargets, ...verdictTargets }
