import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { groupOf } from '../../../domain/audit/actions.ts'
import { auditActionNames, auditActions } from '../../../model/audit-action.ts'
import { exportAuditLog, listAuditLog } from '../../../domain/audit/audit-log.ts'
import { toExport } from '../../../domain/audit/export-formats.ts'
import { keyUseDaysMax, listKeyUse } from '../../../domain/audit/key-use.ts'
import { requireAdmin } from '../../../domain/access/require-admin.ts'
import type { AuditServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { binaryResponse } from '../../page-responses.ts'
import { closed, listPage, PageQuery, Timestamp, wholeList } from '../../schemas.ts'
import { AuditAction, AuditExportFormat, AuditRecord, KeyUse } from '../../schemas/audit-log-schemas.ts'
import { attachment } from '../../send-download.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

const Word = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))
const filters = {
  actor: Word,
  action: Word,
  subject: Word,
  search: Word,
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
}

const KeyUsePage = Type.Object(
  { ...listPage(KeyUse).properties, from: Timestamp, days: Type.Integer() },
  { title: 'KeyUsePage' },
)

const contentTypes = { csv: 'text/csv; charset=utf-8; header=present', jsonl: 'application/jsonl; charset=utf-8' }

/** The audit log of the organization and the use of its API keys, for admins. */
export function auditLogRoutes(api: Api, services: AuditServices): void {
  api.get(
    '/app/api/audit-log',
    {
      schema: {
        querystring: Type.Object({ ...PageQuery.properties, ...filters }, closed),
        response: { 200: listPage(AuditRecord) },
      },
    },
    async (request) => {
      const page = await listAuditLog(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(timesAsText) }
    },
  )

  api.get('/app/api/audit-log/actions', { schema: { response: { 200: wholeList(AuditAction) } } }, async (request) => {
    requireAdmin(callerOf(request))
    return { items: auditActionNames.map((action) => ({ action, group: groupOf(action), meaning: auditActions[action] })) }
  })

  api.get(
    '/app/api/audit-log/key-use',
    {
      schema: {
        querystring: Type.Object(
          { ...PageQuery.properties, days: Type.Optional(Type.Integer({ minimum: 1, maximum: keyUseDaysMax })) },
          closed,
        ),
        response: { 200: KeyUsePage },
      },
    },
    async (request) => {
      const page = await listKeyUse(services, callerOf(request), request.query)
      return { ...timesAsText(page), items: page.items.map(timesAsText) }
    },
  )

  api.get(
    '/app/api/audit-log/export',
    {
      schema: {
        querystring: Type.Object({ ...filters, format: Type.Optional(AuditExportFormat) }, closed),
        response: binaryResponse(...Object.values(contentTypes)),
      },
    },
    async (request, reply) => {
      const { format = 'csv', ...filter } = request.query
      const portions = await exportAuditLog(services, callerOf(request), { ...filter, format })
      const day = services.clock.now().toISOString().slice(0, 10)
      reply.header('content-disposition', attachment(`audit-log-${day}.${format}`))
      reply.type(contentTypes[format])
      return reply.send(Readable.from(toExport(portions, format), { objectMode: false }))
    },
  )
}
