import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import { decideAccess, seesEverything } from './decide-access.ts'

/** Before something in a folder changes. Hidden things are not found in the first place. */
export function requireFolderEdit(caller: Caller, folderId: string | null): void {
  if (decideAccess(caller, 'change', { folderId }) === 'allowed') return
  throw new Refusal('forbidden', 'You can view this folder, but not change what is in it. Ask one of your admins for permission to edit.')
}

/** Before the connection of a database changes. */
export function requireDatabaseManagement(caller: Caller, databaseId: string): void {
  if (decideAccess(caller, 'manage', { databaseId }) === 'allowed') return
  throw new Refusal('forbidden', 'Only organization admins and groups that manage this database can do this. Ask one of your admins.')
}

/** For streams of what automations found, which may tell of rows that the caller doesn't see. Admins choose who gets these anyway. */
export function requireAllRows({ role, access }: Caller): void {
  if (role === 'admin' || !access?.rowBindings) return
  throw new Refusal('forbidden', 'Your organization has databases with row rules, so only admins can do this. Ask one of your admins.')
}

/** For actions whose result depends on things that may be hidden from the caller. */
export function requireFullSight(caller: Caller): void {
  if (seesEverything(caller)) return
  throw new Refusal('forbidden', 'Only members who can see everything in the organization can do this. Ask one of your admins.')
}
