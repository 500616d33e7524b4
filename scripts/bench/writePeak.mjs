// Loaded into the tool with `node --import`: when the process ends, writes its peak memory (kB) to a file.
import { writeFileSync } from 'node:fs'

process.on('exit', () => {
  const file = process.env['BENCH_PEAK_FILE']
  if (file !== undefined) writeFileSync(file, String(process.resourceUsage().maxRSS))
})
