import type { Caller, Origin } from '../../model/caller.ts'
import type { Actor } from '../../model/audit-record.ts'

/** A caller without an origin has made no request: the service acts for that person, for example when it creates the sample. */
export function actorOf(caller: Caller): Actor {
  const { organizationId, userId, triggerId, origin } = caller
  if (triggerId.startsWith('key_')) return { organizationId, kind: 'key', id: triggerId, userId, origin }
  if (triggerId.startsWith('arun_')) return { organizationId, kind: 'agent', id: triggerId, userId, origin }
  const personId = caller.viewedBy ?? userId
  if (origin) return { organizationId, kind: 'user', id: personId, userId: personId, origin }
  return { organizationId, kind: 'service', id: null, userId, origin }
}

/** Someone who has been identified as this person but is not signed in yet. */
export function personActor(of: { organizationId: string; userId: string; origin: Origin | undefined }): Actor {
  return actorOf({ ...of, role: 'member', triggerId: of.userId } as Caller)
}

/** An actor that is not a known person. */
export function unnamedActor(
  kind: 'service' | 'operator' | 'anonymous',
  of: { organizationId: string; origin?: Origin | undefined },
): Actor {
  return { organizationId: of.organizationId, kind, id: null, userId: null, origin: of.origin }
}
