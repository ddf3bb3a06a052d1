import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'

export function requireAdmin(caller: Caller): void {
  if (caller.role !== 'admin') {
    throw new Refusal('forbidden', 'Only an admin of the organization may do this. Ask one of your admins.')
  }
}
