import type { FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { deleteDbtImport, importDbt, listDbtImports } from '../../domain/knowledge/dbt/import-dbt.ts'
import { readKeptPage } from '../../domain/pagination/kept-list.ts'
import type { QueryServices } from '../../domain/services.ts'
import { dbtLimits } from '../../model/dbt.ts'
import { callerOf } from '../authenticate.ts'
import { responses } from '../responses.ts'
import { PageQuery, pageOf } from '../schemas.ts'
import { DbtImport, DbtImportQuery, DbtProjectQuery, presentDbtImport } from '../schemas/dbt-schemas.ts'
import type { Api } from '../typed.ts'
import { acceptFiles, uploadOf } from '../uploads.ts'

const tags = ['dbt']

const exampleManifest = {
  metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json', project_name: 'shop' },
  nodes: {},
}
const artifact = (description: string, examples: object[] = []) =>
  Type.Unsafe<unknown>({ type: 'object', description, ...(examples.length > 0 && { examples }) })

const Artifacts = Type.Object({
  manifest: artifact('The content of `target/manifest.json`.', [exampleManifest]),
  catalog: Type.Optional(artifact('The content of `target/catalog.json`: comments of columns.')),
  sources: Type.Optional(artifact('The content of `target/sources.json`: the freshness of sources.')),
})

declare module 'fastify' {
  interface FastifyRequest {
    /** The file that is being sent. The body is then a stand-in for it. */
    upload: Readable | undefined
  }
}

/** What dbt projects say about tables. Members read it, admins import it. Not part of the retired API. */
export function dbtRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/knowledge/dbt',
    {
      config: { scope: 'read:knowledge' },
      schema: {
        operationId: 'dbt.list',
        tags,
        summary: 'List imports of dbt projects, newest first',
        description: 'Lists the newest import of each project, page by page. All pages show the list and every field as of the first page.',
        querystring: PageQuery,
        response: responses(200, pageOf('DbtImportPage', DbtImport), ['cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) =>
      readKeptPage(services, callerOf(request), {
        list: 'dbt imports',
        request: request.query,
        readItems: async (count) => (await listDbtImports(services, callerOf(request))).slice(0, count).map(presentDbtImport),
      }),
  )

  api.delete(
    '/api/knowledge/dbt',
    {
      config: { scope: 'admin:knowledge' },
      schema: {
        operationId: 'dbt.delete',
        tags,
        summary: 'Delete the import of a dbt project',
        description: 'Forgets everything that the import of a project has written, and returns it. What people have written stays. Only for admins.',
        querystring: DbtProjectQuery,
        response: responses(200, DbtImport, ['forbidden', 'database_not_found', 'knowledge_not_found', 'body_too_large']),
      },
    },
    async (request) => presentDbtImport(await deleteDbtImport(services, callerOf(request), request.query)),
  )

  api.register(async (uploads: Api) => importRoute(uploads, services))
}

function importRoute(api: Api, services: QueryServices): void {
  acceptFiles(api)
  api.decorateRequest('upload', undefined)

  api.post(
    '/api/knowledge/dbt',
    {
      config: { scope: 'admin:knowledge', takesFile: true, fileMaxBytes: dbtLimits.uploadBytes },
      preValidation: async (request: FastifyRequest) => {
        request.upload = uploadOf(request, dbtLimits.uploadBytes)
        request.body = { manifest: {} }
      },
      schema: {
        operationId: 'dbt.import',
        tags,
        summary: 'Import a dbt project',
        description:
          'Reads the artifacts of a dbt project: descriptions of tables and columns, what each table is built from, the freshness of sources, and metrics. It replaces everything that the earlier import of the same project has written, and never what people have written. A file may have up to 256 MiB and is read piece by piece. Only for admins.',
        querystring: DbtImportQuery,
        body: Artifacts,
        response: responses(200, DbtImport, ['forbidden', 'database_not_found', 'dbt_artifact_invalid', 'body_too_large']),
      },
    },
    async (request) => presentDbtImport(await importDbt(services, callerOf(request), { ...request.query, bytes: request.upload! })),
  )
}
