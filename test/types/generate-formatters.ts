import { definitions } from '@querypost/server/engine-definitions'

/** For the editor of the web app: the formatter's dialect of each engine, so that only those are bundled. */
export function formattersOfPages(): string {
  const head = '// Made from the definitions of the engines by `npm run types`; a test keeps it so. Not for editing.\n\n'
  const formatters = new Set(definitions.map(({ editor: { formatter } }) => formatter))
  const members = definitions.map(({ kind, editor: { formatter } }) => (kind === formatter ? kind : `${kind}: ${formatter}`))
  const imported = `import { ${[...formatters].join(', ')} } from 'sql-formatter'\n\n`
  return `${head}${imported}export const formatters = { ${members.join(', ')} }\n`
}
