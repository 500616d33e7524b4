/** Writes the results of all files as one TAP document, each file as a subtest, when it has ended. */
export function tapReport(write, total) {
  write(`TAP version 14\n`)
  let ended = 0
  return {
    begin: () => undefined,
    end({ file, ok, ms, lines, stderr, problem, passed, failed, skipped }) {
      ended += 1
      write(`# Subtest: ${file}\n${indented(lines)}`)
      const nothing =
        passed + failed === 0 && skipped > 0 ? ' # SKIP all of it' : ` # time=${ms.toFixed(0)}ms`
      write(`${ok ? '' : 'not '}ok ${ended} - ${file}${nothing}\n`)
      if (problem !== undefined) write(indented(['---', `problem: ${JSON.stringify(problem)}`, '...'], 2))
      if (!ok && stderr !== '') write(`${stderr.trimEnd().replace(/^/gm, '# ')}\n`)
    },
    close: ({ interrupted }) =>
      write(interrupted === undefined ? `1..${total}\n` : `Bail out! ${interrupted}\n`),
  }
}

function indented(lines, width = 4) {
  return lines.map((line) => `${line === '' ? '' : ' '.repeat(width)}${line}\n`).join('')
}
