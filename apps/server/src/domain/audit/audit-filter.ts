import { Refusal } from '../refusal.ts'
import { type PeriodInput, readPeriod } from '../pagination/period.ts'
import { actionsNamed } from './actions.ts'
import type { AuditFilter } from '../../model/audit-record.ts'

export interface AuditFilterInput extends PeriodInput {
  actor?: string
  /** An action, or a group of them. */
  action?: string
  subject?: string
  search?: string
}

export function readAuditFilter(input: AuditFilterInput): AuditFilter {
  const { actor, action, subject, search } = input
  const actions = action === undefined ? undefined : actionsNamed(action)
  if (actions?.length === 0) {
    const message = 'must be an action of the audit log, such as api_key.created, or a group of them, such as api_key'
    throw new Refusal('invalid_request', `action ${message}.`, [{ path: 'action', message }])
  }
  return {
    ...(actor !== undefined && { actorId: actor.trim() }),
    ...(actions && { actions }),
    ...(subject !== undefined && { subjectId: subject.trim() }),
    ...(search !== undefined && { found: search.trim() }),
    ...readPeriod(input, ''),
  }
}

/** Equal filters give equal text. */
export function nameOfFilter({ actorId, actions, subjectId, found, from, to }: AuditFilter): string {
  return JSON.stringify([actorId, actions, subjectId, found, from?.getTime(), to?.getTime()].map((each) => each ?? null))
}
