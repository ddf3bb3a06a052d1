import { openAsBlob } from 'node:fs'
import path from 'node:path'
import type { DbtImport } from '@querypost/client'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { readConnection } from '../service-connection.ts'

/** The artifacts of dbt. Only the manifest is required. */
const artifacts = ['manifest', 'catalog', 'sources'] as const

export const command = defineCommand({
  usage: '[target folder]',
  description:
    'Imports the artifacts of a dbt project: manifest.json and, if they are there, catalog.json and sources.json. Tables and columns get their descriptions from it, except where people have described them. The folder is `target` by default. It needs the key of an admin.',
  examples: [
    { line: 'querypost dbt import target --database db_4k2n', description: 'import after `dbt docs generate`' },
    {
      line: 'querypost dbt import --database db_4k2n --docs-url https://dbt.example --repository-url https://github.com/shop/dbt/blob/main',
      description: 'link tables to their pages and files',
    },
  ],
  options: {
    database: { type: 'string', value: 'id', description: 'the database that the project builds its tables in' },
    'docs-url': { type: 'string', value: 'url', description: 'the site that dbt generates' },
    'repository-url': { type: 'string', value: 'url', description: 'where the files of the project can be read' },
  },
  async run(context, { operands, options }) {
    const [folder = 'target', ...others] = operands
    if (others.length > 0) throw new CommandError(2, `${others[0]} is one argument too many.`)
    if (options.database === undefined) throw new CommandError(2, 'Name the database with --database. `querypost databases list` lists them.')
    const query = new URLSearchParams({ databaseId: options.database })
    if (options['docs-url'] !== undefined) query.set('docsUrl', options['docs-url'])
    if (options['repository-url'] !== undefined) query.set('repositoryUrl', options['repository-url'])
    const imported = await send(context, query, await joinArtifacts(folder))
    if (context.isJson) context.stdout.write(`${JSON.stringify(imported)}\n`)
    else context.stdout.write(`${describeImport(imported)}\n`)
    return 0
  },
})

function describeImport({ project, tableCount, foundTableCount, describedColumnCount, metrics }: DbtImport): string {
  return `Imported ${project}: ${tableCount} tables (${foundTableCount} in the database), ${describedColumnCount} described columns, ${metrics.length} metrics.`
}

/** The files are streamed, however large they are. */
async function joinArtifacts(folder: string): Promise<Blob> {
  const parts: (string | Blob)[] = []
  for (const name of artifacts) {
    const file = path.join(folder, `${name}.json`)
    try {
      parts.push(`${parts.length === 0 ? '{' : ','}"${name}":`, await openAsBlob(file))
    } catch (error) {
      if (name === 'manifest') throw new CommandError(2, `Can’t read ${file}: ${(error as Error).message}`)
    }
  }
  return new Blob([...parts, '}'])
}

async function send(context: Context, query: URLSearchParams, body: Blob): Promise<DbtImport> {
  const { baseUrl, apiKey } = readConnection(context)
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/octet-stream' }
  const { fetch, signal } = context
  let response: Response
  try {
    response = await fetch(`${baseUrl}/api/knowledge/dbt?${query}`, { method: 'POST', headers, body, signal })
  } catch (error) {
    throw new CommandError(3, `Can’t reach ${baseUrl}: ${(error as Error).message}`)
  }
  const answer = (await response.json()) as DbtImport & { message?: string; documentation_url?: string }
  if (response.ok) return answer
  const isRejectedKey = response.status === 401 || response.status === 403
  throw new CommandError(isRejectedKey ? 3 : 1, `${answer.message}\n  ${answer.documentation_url}`)
}
