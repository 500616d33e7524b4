import { Command } from 'commander'
import { relayConnections } from '../../host/forward/relay.js'
import { relayVerb } from '../../host/forward/startForward.js'

/** `vethlab relay`: makes the connections of `vethlab forward` inside the lab. */
export function relayCommand(): Command {
  return new Command(relayVerb).action(async () => {
    await relayConnections()
    // connections may be open, but the command that forwards has ended
    process.exit()
  })
}
