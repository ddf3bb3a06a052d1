import { Type } from 'typebox'
import { auditActionNames } from '../../model/audit-action.ts'
import { actorKinds, type AuditDetails, subjectTypes } from '../../model/audit-record.ts'
import { exportFormats } from '../../domain/audit/export-formats.ts'
import { described, namedEnum, NullableText, orNull, Timestamp } from '../schemas.ts'
import { Person } from './people-schemas.ts'

/** The audit log and the use of API keys. */
const ActorKind = namedEnum('ActorKind', actorKinds)
const AuditActionName = namedEnum('AuditActionName', auditActionNames)
const SubjectType = namedEnum('SubjectType', subjectTypes)
export const AuditExportFormat = namedEnum('AuditExportFormat', exportFormats)

export const AuditRecord = Type.Object(
  {
    id: Type.String(),
    occurredAt: Timestamp,
    action: AuditActionName,
    actor: Type.Object({
      kind: ActorKind,
      id: NullableText,
      name: described(NullableText, 'Name of the API key or automation.'),
      // The person who acted, or on whose behalf a key or an agent acted.
      user: orNull(Person),
    }),
    subject: Type.Object({ type: SubjectType, id: NullableText, name: NullableText }),
    // The details depend on the action.
    details: Type.Unsafe<AuditDetails>({
      type: 'object',
      properties: {
        changes: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { before: {}, after: {} } },
        },
      },
      additionalProperties: true,
    }),
    address: NullableText,
    requestId: NullableText,
  },
  {
    title: 'AuditRecord',
    description: 'Who did what, when and from where. Names are as of that time.',
  },
)

export const AuditAction = Type.Object(
  { action: AuditActionName, group: Type.String(), meaning: Type.String() },
  { title: 'AuditAction' },
)

const counts = { requestCount: Type.Integer(), refusedCount: Type.Integer(), failedCount: Type.Integer() }

export const KeyUse = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prefix: described(NullableText, 'Null if the key was deleted with its member.'),
    isRevoked: Type.Boolean(),
    user: Person,
    ...counts,
    lastAt: Timestamp,
    lastAddress: NullableText,
    days: Type.Array(Type.Object({ day: Type.String(), ...counts }), {
      description: '`YYYY-MM-DD`, UTC. Days without requests are omitted.',
    }),
    routes: Type.Array(
      Type.Object({
        route: Type.String(),
        ...counts,
        firstAt: Timestamp,
        lastAt: Timestamp,
        lastStatus: Type.Integer(),
        lastAddress: NullableText,
      }),
    ),
  },
  { title: 'KeyUse', description: 'How an API key was used.' },
)
