/**
 * A *scope* is something that an API key may do: an *action* on everything (`write`), or on one kind of *resource* (`write:boards`).
 * Scopes do not include each other. A key never has more permissions than the member it acts as.
 *
 * - `read`: read what members can see.
 * - `run`: run queries, automations and evaluations, and ask questions.
 * - `write`: create, change and delete what members can change.
 * - `admin`: what only admins can do.
 */
export const scopes = [
  'read',
  'read:queries',
  'read:boards',
  'read:folders',
  'read:databases',
  'read:automations',
  'read:chats',
  'read:knowledge',
  'read:question-sets',
  'read:webhooks',
  'read:project',
  'run',
  'run:queries',
  'run:boards',
  'run:automations',
  'run:chats',
  'run:question-sets',
  'run:webhooks',
  'write',
  'write:queries',
  'write:boards',
  'write:folders',
  'write:automations',
  'write:project',
  'admin',
  'admin:webhooks',
  'admin:knowledge',
  'admin:question-sets',
] as const

export type Scope = (typeof scopes)[number]
/** What a route or a tool requires: an action on one kind of resource. */
export type RequiredScope = Extract<Scope, `${string}:${string}`>
export type ScopeAction = Exclude<Scope, RequiredScope>

export const scopeActions: readonly ScopeAction[] = ['read', 'run', 'write', 'admin']

/**
 * What a key may do if no scopes were chosen: everything that every key could do before there were scopes, and with the same resources
 * what has been added since, such as saving a query. What programs could never do needs a scope of its own.
 */
export const scopesBeforeScopes: readonly Scope[] = ['read', 'run', 'write:queries', 'write:boards', 'write:folders']
