/** A page that the service writes itself, without a script. `body` is HTML. */
export function plainPage(options: { title: string; body: string; stylesheet: string | undefined }): string {
  const { title, body, stylesheet } = options
  const style = stylesheet === undefined ? '' : `<link rel="stylesheet" href="${stylesheet}">`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Querypost</title>${style}</head>
<body><main class="text"><h1>${title}</h1>
${body}
</main></body>
</html>`
}

/** Text into HTML; what stands between back-ticks becomes code. */
export function textToHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
