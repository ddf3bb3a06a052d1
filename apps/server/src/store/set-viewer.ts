import { CompiledQuery } from 'kysely'
import type { Viewer } from './viewer.ts'

/** The schema of the views (access/make-visible-schema.ts). */
export const visibleSchema = 'querypost_visible'

/**
 * Shows the rest of the transaction to a viewer. Reading from `ready` fails if the views don't exist, and keeps them from being
 * replaced until the transaction ends; otherwise, a name could mean the table itself.
 */
export async function setViewer(
  connection: { executeQuery(query: CompiledQuery): Promise<unknown> },
  viewer: Viewer,
): Promise<void> {
  await connection.executeQuery(
    CompiledQuery.raw(
      `select set_config('search_path', '${visibleSchema}, ' || ready.base_schema, true),
        set_config('querypost.viewer', $1, true),
        set_config('querypost.hidden_databases', $2::text[]::text, true),
        set_config('querypost.hidden_folders', $3::text[]::text, true),
        set_config('querypost.row_bindings', $4, true)
      from ${visibleSchema}.ready`,
      [viewer.id, viewer.hiddenDatabaseIds, viewer.hiddenFolderIds, JSON.stringify(viewer.rowBindings ?? {})],
    ),
  )
}
