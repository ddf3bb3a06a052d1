import { Type } from 'typebox'
import { deleteTable, renameTable } from '../../../domain/databases/change-table.ts'
import { describeDatabase } from '../../../domain/databases/databases.ts'
import { importTable } from '../../../domain/databases/import-table.ts'
import { beginningMaxBytes, previewFile } from '../../../domain/databases/preview-file.ts'
import { previewSheet, workbookMaxBytes } from '../../../domain/databases/preview-sheet.ts'
import { previewTable } from '../../../domain/table-previews/preview-table.ts'
import { badInput } from '../../../domain/people/check-text.ts'
import type { DatabaseServices } from '../../../domain/services.ts'
import type { CsvReading } from '../../../engines/duckdb/import/csv/csv-reading.ts'
import { existingTableChoices } from '../../../engines/duckdb/import/import-file.ts'
import { callerOf } from '../../authenticate.ts'
import { fileBody, noContent } from '../../page-responses.ts'
import { closed, oneOf, wholeList } from '../../schemas.ts'
import { CsvReadingQuery, FileFormat, FilePreview, ImportedTable, Table, TablePreview } from '../../schemas/database-schemas.ts'
import type { Api } from '../../typed.ts'
import { abortOnDisconnect, acceptFiles, uploadOf } from '../../uploads.ts'

const Sheet = Type.Optional(Type.String({ maxLength: 100 }))
const Params = Type.Object({ id: Type.String() })
const TableParams = Type.Object({ id: Type.String(), schema: Type.String(), table: Type.String() })

/** The tables of a database: members can read them. Admins, and members in the database of their uploads, can import, rename and delete them. */
export function tableRoutes(api: Api, services: DatabaseServices): void {
  api.get(
    '/app/api/databases/:id/tables',
    { schema: { params: Params, response: { 200: wholeList(Table) } } },
    async (request) => ({ items: await describeDatabase(services, callerOf(request), request.params.id) }),
  )

  api.get(
    '/app/api/databases/:id/tables/:schema/:table/preview',
    {
      schema: {
        params: TableParams,
        response: { 200: TablePreview },
      },
    },
    async (request) => {
      const { id: configId, schema, table } = request.params
      return previewTable(services, callerOf(request), { configId, schema, table })
    },
  )

  changeRoutes(api, services)
  api.register(async (uploads: Api) => importRoutes(uploads, services))
}

function changeRoutes(api: Api, services: DatabaseServices): void {
  api.patch(
    '/app/api/databases/:id/tables/:schema/:table',
    {
      schema: {
        params: TableParams,
        body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
        response: noContent,
      },
    },
    async (request, reply) => {
      const { id: configId, schema, table } = request.params
      const signal = abortOnDisconnect(reply)
      await renameTable(services, callerOf(request), { configId, schema, table, newName: request.body.name, signal })
      return reply.code(204).send()
    },
  )

  api.delete(
    '/app/api/databases/:id/tables/:schema/:table',
    { schema: { params: TableParams, response: noContent } },
    async (request, reply) => {
      const { id: configId, schema, table } = request.params
      await deleteTable(services, callerOf(request), { configId, schema, table, signal: abortOnDisconnect(reply) })
      return reply.code(204).send()
    },
  )
}

function importRoutes(api: Api, services: DatabaseServices): void {
  acceptFiles(api)
  const { uploadMaxBytes } = services.importLimits

  api.post(
    '/app/api/databases/:id/tables/preview',
    {
      ...fileBody,
      schema: {
        params: Params,
        querystring: Type.Object(
          { format: oneOf(['csv', 'xlsx']), isWhole: Type.Optional(oneOf(['true', 'false'])), sheet: Sheet, ...CsvReadingQuery },
          closed,
        ),
        response: { 200: FilePreview },
      },
    },
    async (request, reply) => {
      const { format, isWhole = 'false', sheet, ...chosen } = request.query
      const caller = callerOf(request)
      const shown = { configId: request.params.id, given: givenReading(chosen) }
      if (format === 'csv') {
        const bytes = uploadOf(request, beginningMaxBytes)
        return previewFile(services, caller, { ...shown, bytes, isWhole: isWhole === 'true' })
      }
      const bytes = uploadOf(request, workbookMaxBytes)
      return previewSheet(services, caller, { ...shown, bytes, sheet, signal: abortOnDisconnect(reply) })
    },
  )

  api.post(
    '/app/api/databases/:id/tables',
    {
      ...fileBody,
      schema: {
        params: Params,
        querystring: Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 200 }),
            format: FileFormat,
            ifExists: Type.Optional(oneOf(existingTableChoices)),
            keys: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 20 })])),
            sheet: Sheet,
            ...CsvReadingQuery,
          },
          closed,
        ),
        response: { 201: ImportedTable },
      },
    },
    async (request, reply) => {
      const { name: table, format, ifExists = 'refuse', keys, sheet, ...chosen } = request.query
      const imported = await importTable(services, callerOf(request), {
        configId: request.params.id,
        table,
        format,
        ifExists,
        keys: keys === undefined ? undefined : [keys].flat(),
        reading: completeReading(chosen),
        sheet,
        bytes: uploadOf(request, uploadMaxBytes),
        signal: abortOnDisconnect(reply),
      })
      return reply.code(201).send(imported)
    },
  )
}

type ChosenReading = Partial<Omit<CsvReading, 'types' | 'hasHeader'>> & { types?: string; hasHeader?: 'true' | 'false' }

const givenReading = ({ types, hasHeader, ...rest }: ChosenReading): Partial<CsvReading> => ({
  ...rest,
  ...(hasHeader !== undefined && { hasHeader: hasHeader === 'true' }),
  ...(types !== undefined && { types: types.split(',') as CsvReading['types'] }),
})

/** An import uses either all choices of a preview or none. */
function completeReading(chosen: ChosenReading): CsvReading | undefined {
  if (Object.keys(chosen).length === 0) return undefined
  const missing = Object.keys(CsvReadingQuery).find((name) => !(name in chosen))
  if (missing !== undefined) throw badInput(`/${missing}`, 'is required with the other choices of a preview')
  return givenReading(chosen) as CsvReading
}
