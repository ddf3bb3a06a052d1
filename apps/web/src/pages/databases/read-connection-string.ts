import { definitions, parseConnectionString, schemeOf } from '@querypost/server/engine-definitions'
import type { ServerEngine } from '../../api/databases.ts'
import { emptyDraft, type ServerDraft, serverPlaceOf } from './server-draft.ts'

/** The fields that a connection string fills. The certificate stays as it is. */
export function readConnectionString(text: string, engine: ServerEngine): { draft: Partial<ServerDraft> } | { fault: string } {
  const { connectionStrings } = serverPlaceOf(engine)
  const parts = parseConnectionString(text, connectionStrings)
  if (parts) {
    const { database = '', user = '', password = '', tls = emptyDraft.tls, options = {}, ...places } = parts
    return { draft: { ...places, database, user, password, tls, options, isPasswordRemoved: false } }
  }
  const scheme = schemeOf(text)
  const other = scheme !== undefined && scheme in connectionStrings.schemes ? undefined : engineWith(scheme)
  // The text itself is not repeated, because it may contain a password.
  return { fault: other ? `This connection string is for ${other}. Choose it above.` : `Use the form ${connectionStrings.example}` }
}

function engineWith(scheme: string | undefined): string | undefined {
  if (scheme === undefined) return undefined
  return definitions.find(({ place }) => place.on === 'server' && scheme in place.connectionStrings.schemes)?.name
}
