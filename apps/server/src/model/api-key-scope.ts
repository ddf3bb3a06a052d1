/**
 * A *scope* is something that an API key may do: an *action* on everything (`write`), or on one kind of *resource* (`write:boards`).
 * Scopes do not include each other. A key never has more permissions than the member it acts as.
 *
 * - `read`: read what members can see.
 * - `run`: run queries, automations and evaluations, and ask questions.
 * - `write`: create, change and delete what members can change.
 * - `admin`: what only admins can do.
 */
const resourcesOf = {
  read: ['queries', 'boards', 'folders', 'databases', 'automations', 'chats', 'knowledge', 'question-sets', 'webhooks'],
  run: ['queries', 'boards', 'automations', 'chats', 'question-sets', 'webhooks'],
  write: ['queries', 'boards', 'folders', 'automations'],
  admin: ['webhooks', 'knowledge', 'question-sets'],
} as const

type Resources = typeof resourcesOf
export type ScopeAction = keyof Resources
/** What a route or a tool requires: an action on one kind of resource. */
export type RequiredScope = { [Action in ScopeAction]: `${Action}:${Resources[Action][number]}` }[ScopeAction]
export type Scope = ScopeAction | RequiredScope

export const scopeActions = Object.keys(resourcesOf) as ScopeAction[]

export const scopes: readonly Scope[] = scopeActions.flatMap((action) => [
  action,
  ...resourcesOf[action].map((resource) => `${action}:${resource}` as RequiredScope),
])

/**
 * What a key may do if no scopes were chosen: exactly what every key could do before there were scopes. Routes for other resources were
 * added later and need a scope of their own.
 */
export const scopesBeforeScopes: readonly Scope[] = ['read', 'run', 'write:queries', 'write:boards', 'write:folders']

export const actionOf = (scope: Scope): ScopeAction => scope.split(':', 1)[0] as ScopeAction

export const hasScope = (granted: readonly Scope[], required: RequiredScope): boolean =>
  granted.includes(required) || granted.includes(actionOf(required))
