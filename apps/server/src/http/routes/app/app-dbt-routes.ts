import { deleteDbtImport, importDbt, listDbtImports } from '../../../domain/knowledge/dbt/import-dbt.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { dbtLimits } from '../../../model/dbt.ts'
import { callerOf } from '../../authenticate.ts'
import { fileBody, noContent } from '../../page-responses.ts'
import { wholeList } from '../../schemas.ts'
import { DbtImport, DbtImportQuery, DbtProjectQuery, presentDbtImport } from '../../schemas/dbt-schemas.ts'
import type { Api } from '../../typed.ts'
import { acceptFiles, uploadOf } from '../../uploads.ts'

const path = '/app/api/knowledge/dbt'

/** Imports of dbt projects for the web app: members see them, admins upload and delete them. */
export function appDbtRoutes(api: Api, services: QueryServices): void {
  api.get(path, { schema: { response: { 200: wholeList(DbtImport) } } }, async (request) => ({
    items: (await listDbtImports(services, callerOf(request))).map(presentDbtImport),
  }))

  api.delete(path, { schema: { querystring: DbtProjectQuery, response: noContent } }, async (request, reply) => {
    await deleteDbtImport(services, callerOf(request), request.query)
    return reply.code(204).send()
  })

  api.register(async (uploads: Api) => {
    acceptFiles(uploads)
    uploads.post(path, { ...fileBody, schema: { querystring: DbtImportQuery, response: { 200: DbtImport } } }, async (request) =>
      presentDbtImport(await importDbt(services, callerOf(request), { ...request.query, bytes: uploadOf(request, dbtLimits.uploadBytes) })),
    )
  })
}
