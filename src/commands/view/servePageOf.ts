import { livePageFiles } from '../../host/builtFiles.js'
import { requireTools } from '../../host/environment.js'
import { isUp } from '../../up/upLab.js'
import { serveLab, type ServeLabOptions } from '../../view/live/serveLab.js'
import { followLab } from '../kubectl/followLab.js'
import { print, printError } from '../output.js'

/** Serves the page of a running lab and prints its URL, until the lab ends or a signal ends the server. */
export async function servePageOf(
  lab: string,
  options: Pick<ServeLabOptions, 'address' | 'port' | 'readOnly'>,
): Promise<void> {
  requireTools(['tcpdump'])
  await followLab(lab, async (up, signal) => {
    await serveLab(up, { ...options, code: livePageFiles(), signal, onUrl: printUrl })
    if (!signal.aborted && !(await isUp(up))) printError(`the lab "${up.lab}" has ended\n`)
  })
}

/** Prints the URL of a page that can be opened. */
export function printUrl(url: string): void {
  print(`${url}\n`)
  printError('Open this URL in a browser; it works once. Ctrl-C ends the server.\n')
}
