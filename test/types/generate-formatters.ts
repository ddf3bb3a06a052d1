import { definitions } from '@querypost/server/engine-definitions'

/** For the editor of the web app: the formatter's dialect of each engine, so that only those are bundled. */
export function formattersOfPages(): string {
  const head = '// Made from the definitions of the engines by `npm run types`; a test keeps it so. Not for editing.\n\n'
  const names = definitions.map(({ kind, editor: { formatter } }) => (kind === formatter ? kind : `${formatter} as ${kind}`))
  return `${head}export { ${names.join(', ')} } from 'sql-formatter'\n`
}
