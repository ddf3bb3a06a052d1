import { type AuditAction, auditActionNames } from '../../model/audit-action.ts'

export const groupOf = (action: string): string => action.slice(0, action.indexOf('.'))

export const auditGroups: string[] = [...new Set(auditActionNames.map(groupOf))]

/** The action with that name, or all actions of the group with that name; none for other words. */
export function actionsNamed(word: string): AuditAction[] {
  return auditActionNames.filter((action) => action === word || groupOf(action) === word)
}
