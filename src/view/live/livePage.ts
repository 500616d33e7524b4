import { escaped, policyFor, type PageCode } from '../pageCode.js'

/** The page of a running lab, and its content security policy: its own script and style, and calls of its own server. */
export function livePage(lab: string, code: PageCode): { readonly html: string; readonly policy: string } {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>vethlab: ${escaped(lab)}</title>
<style>${code.style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript.</noscript>
<script type="module">${code.script}</script>
</body>
</html>
`
  return { html, policy: policyFor(code, ["connect-src 'self'", "frame-ancestors 'none'"]) }
}
