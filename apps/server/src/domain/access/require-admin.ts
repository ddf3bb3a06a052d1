import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'

export function requireAdmin(caller: Caller): void {
  if (caller.role !== 'admin') {
    throw new Refusal('forbidden', 'Only organization admins can do this. Ask one of your admins.')
  }
}
