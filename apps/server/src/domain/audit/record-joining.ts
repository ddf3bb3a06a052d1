import type { Origin } from '../../model/caller.ts'
import type { Role } from '../../model/people.ts'
import { personActor } from './actor.ts'
import { recordAction, type RecordDeps } from './record-action.ts'

/** Records that someone became a member; `by` says how. */
export async function recordJoining(
  deps: RecordDeps,
  joining: {
    organizationId: string
    user: { id: string; email: string }
    role: Role
    by: { invitationId: string } | 'domain' | 'founding'
    origin: Origin | undefined
  },
): Promise<void> {
  const { organizationId, user, role, by, origin } = joining
  await recordAction(deps, personActor({ organizationId, userId: user.id, origin }), {
    action: 'member.joined',
    subject: { type: 'user', id: user.id, name: user.email },
    details: { role, ...(typeof by === 'string' ? { by } : { by: 'invitation', ...by }) },
  })
}
