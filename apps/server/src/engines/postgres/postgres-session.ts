import { EngineError, type EngineSession } from '../engine.ts'
import { lex } from '../sql/lex.ts'
import type { LexicalRules } from '../sql/lexical-rules.ts'

/**
 * The settings that a session's transaction begins with, as `set local` takes them. The string form `E'…'` has the same meaning whatever
 * the server's settings are.
 */
export function sessionSettings({ settings, role }: EngineSession): string[] {
  return [
    ...settings.map(({ name, value }) => `${settingName(name)} = ${text(value)}`),
    // Last: the role may be allowed less.
    ...(role === undefined ? [] : [`role ${roleName(role)}`]),
  ]
}

const text = (value: string) => `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

function settingName(name: string): string {
  if (/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)+$/i.test(name)) return name
  throw new EngineError('refused', `${JSON.stringify(name)} is no name of a custom setting. An example is app.tenant.`)
}

/** PostgreSQL reads `none` as the user of the connection, in quotes too. */
function roleName(role: string): string {
  if (role.toLowerCase() === 'none') throw new EngineError('refused', 'The value of the attribute is no name of a role.')
  return `"${role.replaceAll('"', '""')}"`
}

/** `set_config`, and functions that run SQL in which it could be written. */
const changing = /(?<![\w$])(set_config|query_to_xml\w*|cursor_to_xml\w*|ts_stat|ts_rewrite|xpath_table|dblink\w*|crosstab\w*|connectby)(?![\w$])/i

/** Rejects a statement that could change its own session, and so see the rows of others. */
export function refuseSessionChanges(sql: string, rules: LexicalRules): void {
  for (const { start, end, position } of lex(sql, rules)) {
    if (position.kind === 'comment' || position.kind === 'string' || position.kind === 'dollar' || position.kind === 'digits') continue
    const isEscapedName = position.kind === 'unicode' && position.quote === '"'
    const name = isEscapedName ? 'U&"…"' : changing.exec(sql.slice(start, end))?.[1]
    if (name === undefined && position.kind !== 'unclear') continue
    throw new EngineError('refused', `${name ?? 'This statement'} is not allowed, because the database has row rules. Write the query without it.`)
  }
}
