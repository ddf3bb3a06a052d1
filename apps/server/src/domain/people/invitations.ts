import type { Clock } from '../../ports/clock.ts'
import type { Mail } from '../../ports/mail.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import {
  deleteOpenInvitation,
  findInvitationByToken,
  insertInvitation,
  type InvitationRow,
  readOpenInvitations,
} from '../../store/people/invitations-table.ts'
import { isMemberByEmail } from '../../store/people/memberships-table.ts'
import type { Role } from '../../model/people.ts'
import { recordAction } from '../audit/record-action.ts'
import { isId, newId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'
import { badInput, checkEmail } from './check-text.ts'
import { invitationEmail, sendEmail } from './people-emails.ts'
import { secretHash } from './secret-hash.ts'
import { isToken, newToken } from './tokens.ts'

/**
 * An *invitation* lets one address join one organization, in one role, once, within 7 days. Its link is shown to the admin who
 * creates it, and e-mailed if the operator has set up a mail server. An address has at most one open invitation to an organization;
 * an expired one does not count.
 */
const lifetimeMs = 7 * 24 * 3600_000

export interface Invitation {
  id: string
  email: string
  role: Role
  invitedBy: { id: string; name: string }
  createdAt: Date
  expiresAt: Date
}

export interface NewInvitation extends Invitation {
  /** Only the response to its creation contains the link. */
  url: string
  isMailed: boolean
  /** The mail server's answer if it rejected the e-mail. */
  mailFault: string | null
}

export async function createInvitation(
  deps: { db: Db; clock: Clock; random: Random; mail: Mail | null; baseUrl: string },
  caller: Caller,
  input: { email: string; role: Role },
): Promise<NewInvitation> {
  requireAdmin(caller)
  const { organizationId } = caller
  const email = checkEmail(input.email)
  const token = newToken(deps.random)
  const id = newId(deps.random, 'invitation')
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    if (await isMemberByEmail(tx, { organizationId, email })) {
      throw badInput('/email', 'already belongs to a member of the organization')
    }
    const isStored = await insertInvitation(tx, {
      id,
      organization_id: organizationId,
      email,
      role: input.role,
      token_hash: secretHash(token),
      invited_by: caller.userId,
      created_at: now,
      expires_at: new Date(now.getTime() + lifetimeMs),
    })
    if (!isStored) throw badInput('/email', 'already has an open invitation; withdraw it to create a new link')
    const subject = { type: 'invitation', id, name: email } as const
    await recordAction({ ...deps, tx }, caller, { action: 'invitation.created', subject, details: { role: input.role } })
  })
  const invitation = (await findInvitationByToken(deps.db, secretHash(token)))!
  const url = `${deps.baseUrl}/invitation#${token}`
  const { organizationName, invitedBy } = invitation
  const message = invitationEmail({ id, to: email, organizationName, invitedByName: invitedBy.name, url })
  const mailFault = deps.mail && (await sendEmail({ clock: deps.clock, mail: deps.mail }, message))
  return { ...present(invitation), url, isMailed: deps.mail !== null && mailFault === null, mailFault }
}

export async function listInvitations(deps: { db: Db }, caller: Caller): Promise<Invitation[]> {
  requireAdmin(caller)
  return (await readOpenInvitations(deps.db, caller.organizationId)).map(present)
}

export async function withdrawInvitation(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  id: string,
): Promise<void> {
  requireAdmin(caller)
  const { organizationId } = caller
  if (!isId(id)) throw noSuchInvitation()
  await deps.db.transaction().execute(async (tx) => {
    const withdrawn = await deleteOpenInvitation(tx, { organizationId, id })
    if (!withdrawn) throw noSuchInvitation()
    const { email, role } = withdrawn
    const subject = { type: 'invitation', id, name: email } as const
    await recordAction({ ...deps, tx }, caller, { action: 'invitation.withdrawn', subject, details: { role } })
  })
}

const noSuchInvitation = () =>
  new Refusal('invitation_not_found', 'There is no such open invitation. It may have been accepted or withdrawn.')

/** Finds the invitation of a link. Throws an error that says why the link is not valid. */
export async function findOpenInvitation(
  deps: { db: Db; clock: Clock },
  { token }: { token: string },
): Promise<InvitationRow> {
  const found = isToken(token) ? await findInvitationByToken(deps.db, secretHash(token)) : undefined
  if (!found) throw notValid('This invitation was withdrawn, or its link is incomplete. Ask for a new one.')
  if (found.acceptedAt) throw alreadyUsed()
  if (found.expiresAt <= deps.clock.now()) throw notValid('This invitation has expired. Ask for a new one.')
  return found
}

export const alreadyUsed = () => notValid('This invitation has already been accepted. Sign in with its e-mail address.')

const notValid = (message: string) => new Refusal('link_not_valid', message)

const present = ({ id, email, role, invitedBy, createdAt, expiresAt }: InvitationRow): Invitation => ({
  id,
  email,
  role,
  invitedBy,
  createdAt,
  expiresAt,
})
