/** A minimal page without scripts or styles. `body` is HTML. */
export function plainPage(options: { title: string; body: string }): string {
  const { title, body } = options
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Querypost</title></head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>`
}
