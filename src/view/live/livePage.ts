import { randomBytes } from 'node:crypto'
import { escaped, policyFor, type PageCode } from '../pageCode.js'

/** The built page of a running lab. */
export interface LivePageCode extends PageCode {
  /** Scripts that the page loads with the first terminal, editor of YAML, or sentence of another language, by path. */
  readonly onUse: Readonly<Record<string, string>>
}

/**
 * The page of a running lab or of a class, and its content security policy: its own script and style, what these add with a nonce (the script
 * of terminals and its styles), and calls of its own server. Terminals set the style of single characters.
 */
export function livePage(
  name: string,
  code: PageCode,
  frames: readonly string[] = ["frame-ancestors 'none'"],
): { readonly html: string; readonly policy: string } {
  const nonce = randomBytes(18).toString('base64')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>vethlab: ${escaped(name)}</title>
<style>${code.style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript.</noscript>
<script type="module" nonce="${nonce}">${code.script}</script>
</body>
</html>
`
  const more = ["style-src-attr 'unsafe-inline'", "connect-src 'self'", ...frames]
  return { html, policy: policyFor(code, more, nonce) }
}

/** The scripts that the page loads when it needs them, by path. */
export function scriptsOf({ onUse }: LivePageCode) {
  return Object.fromEntries(
    Object.entries(onUse).map(([path, text]) => [path, { type: 'text/javascript', text: () => text }]),
  )
}
