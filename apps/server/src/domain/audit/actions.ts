/**
 * Every *action* that the audit log tells of, with what it means. What stands before the point is its *group*. The words are
 * for programs too: a name never changes its meaning, and new ones may be added.
 */
export const auditActions = {
  'session.started': 'Somebody signed in, or went on in this organization from another one of theirs.',
  'session.failed': 'Somebody gave a wrong password for a member’s account. At most ten an hour are recorded of an account.',
  'session.ended': 'Somebody signed out, or ended one of their own sessions from another.',
  'password.changed': 'A member changed the password; all their other sessions ended.',
  'password.reset_requested': 'A link for a new password was made for a member: mailed, or by the operator’s command.',
  'password.reset': 'A member chose a new password by such a link; all their sessions ended.',
  'account.changed': 'A member changed their name, or the first admin made the account their own.',
  'member.joined': 'Somebody became a member: by an invitation, by the domain of the address, or as founder.',
  'member.role_changed': 'An admin gave a member another role.',
  'member.removed': 'An admin removed a member; that person’s sessions and API keys ended.',
  'member.left': 'A member left the organization.',
  'invitation.created': 'An admin invited an address.',
  'invitation.withdrawn': 'An admin withdrew an invitation.',
  'api_key.created': 'A member made an API key.',
  'api_key.revoked': 'A member or an admin revoked an API key.',
  'organization.created': 'The organization was founded.',
  'organization.changed': 'An admin changed the organization’s settings.',
  'database.created': 'An admin added a database.',
  'database.changed': 'An admin changed a database’s name, settings or password.',
  'database.tested': 'An admin tried out a database.',
  'database.table_imported': 'An admin imported a file as a table.',
  'database.deleted': 'An admin deleted a database.',
  'query.created':
    'A query was stored. Of queries that nobody saves, one record an hour is written of each actor: `count` tells how many, `lastAt` when the last one was.',
  'reference.created': 'A reference was made, and with it a permalink.',
  'reference.changed': 'A reference was changed.',
  'reference.deleted': 'A reference was deleted; its permalink opens nothing any more.',
  'reference.restored': 'A deleted reference was brought back.',
  'webhook_endpoint.created': 'An admin added a webhook endpoint.',
  'webhook_endpoint.changed': 'An admin changed a webhook endpoint.',
  'webhook_endpoint.enabled': 'An admin enabled a webhook endpoint.',
  'webhook_endpoint.disabled': 'A webhook endpoint was disabled: by an admin, or by the service after failures in a row.',
  'webhook_endpoint.deleted': 'An admin deleted a webhook endpoint.',
  'webhook_endpoint.secret_shown': 'An admin looked at a webhook endpoint’s secret.',
  'webhook_endpoint.secret_rotated': 'An admin made a next secret for a webhook endpoint.',
  'webhook_endpoint.secret_activated': 'An admin made the next secret the one that signs.',
  'webhook_endpoint.secret_cancelled': 'An admin threw the next secret away.',
  'webhook_endpoint.test_sent': 'An admin sent a test event to a webhook endpoint.',
  'webhook_endpoint.held_sent': 'An admin had the deliveries sent that were held for a webhook endpoint.',
  'webhook_endpoint.replayed': 'An admin had events of a period sent to a webhook endpoint once more.',
  'delivery.resent': 'An admin had one delivery made once more.',
  'automation.created': 'An automation was made.',
  'automation.changed': 'An automation was changed.',
  'automation.enabled': 'An automation was switched on.',
  'automation.disabled': 'An automation was paused.',
  'automation.deleted': 'An automation was deleted.',
  'model_settings.changed': 'An admin set up, or changed, the model that agents ask.',
  'model_settings.deleted': 'An admin removed the model that agents ask.',
  'data_connector.created': 'An admin added a data connector.',
  'data_connector.changed': 'An admin changed a data connector.',
  'data_connector.deleted': 'An admin deleted a data connector.',
  'audit_log.exported': 'An admin exported the audit log.',
} as const satisfies Record<string, string>

export type AuditAction = keyof typeof auditActions

export const auditActionNames = Object.keys(auditActions) as AuditAction[]

export const groupOf = (action: string): string => action.slice(0, action.indexOf('.'))

export const auditGroups: string[] = [...new Set(auditActionNames.map(groupOf))]

/** The action of that name, or all of a group's; none for any other word. */
export function actionsNamed(word: string): AuditAction[] {
  return auditActionNames.filter((action) => action === word || groupOf(action) === word)
}
